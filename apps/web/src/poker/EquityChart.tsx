// Both ranges by equity: how much of each range has at least so much.
import { useMemo, useState } from "preact/hooks";
import { percent } from "../format";
import type { NodeReply, SideReply } from "../types";

const WIDTH = 560;
const HEIGHT = 300;
const LEFT = 44;
const BOTTOM = 34;
const TOP = 8;
const RIGHT = 8;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

type Steps = { from: number; to: number; equity: number }[];

// Hands from the strongest on, each as wide as its share of the range.
function stepsOf(side: SideReply): Steps {
  const { hands } = side;
  const order = hands.hand
    .map((_, hand) => hand)
    .filter((hand) => (hands.weight[hand] ?? 0) > 0)
    .sort((a, b) => (hands.equity[b] ?? 0) - (hands.equity[a] ?? 0));
  const total = order.reduce((sum, hand) => sum + (hands.weight[hand] ?? 0), 0);
  let at = 0;
  return order.map((hand) => {
    const from = at;
    at += (hands.weight[hand] ?? 0) / total;
    return { from, to: at, equity: hands.equity[hand] ?? 0 };
  });
}

const xOf = (part: number) => LEFT + part * (WIDTH - LEFT - RIGHT);
const yOf = (equity: number) => TOP + (1 - equity) * (HEIGHT - TOP - BOTTOM);

function pathOf(steps: Steps): string {
  return steps
    .map(({ from, to, equity }, at) => {
      const y = yOf(equity).toFixed(1);
      return `${at === 0 ? "M" : "L"}${xOf(from).toFixed(1)},${y}H${xOf(to).toFixed(1)}`;
    })
    .join("");
}

function equityAt(steps: Steps, part: number): number | null {
  return steps.find((step) => part <= step.to + 1e-12)?.equity ?? steps.at(-1)?.equity ?? null;
}

export function EquityChart({ node }: { node: NodeReply }) {
  const both = useMemo(() => node.players.map(stepsOf), [node]);
  const [at, setAt] = useState<number | null>(null);
  function move(event: MouseEvent) {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const part = (x - LEFT) / (WIDTH - LEFT - RIGHT);
    setAt(part >= 0 && part <= 1 ? part : null);
  }
  const read = (player: number) => {
    const equity = equityAt(both[player] ?? [], at ?? 0.5);
    return equity === null ? "-" : percent(equity);
  };
  return (
    <figure class="equity-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label="Equity of both ranges, from the strongest hand to the weakest"
        onMouseMove={move}
        onMouseLeave={() => setAt(null)}
      >
        {TICKS.map((tick) => (
          <g key={tick}>
            <line class="chart-grid" x1={LEFT} x2={WIDTH - RIGHT} y1={yOf(tick)} y2={yOf(tick)} />
            <line class="chart-grid" x1={xOf(tick)} x2={xOf(tick)} y1={TOP} y2={HEIGHT - BOTTOM} />
            <text class="chart-tick" x={LEFT - 6} y={yOf(tick) + 4} text-anchor="end">
              {percent(tick, 0)}
            </text>
            <text class="chart-tick" x={xOf(tick)} y={HEIGHT - BOTTOM + 14} text-anchor="middle">
              {percent(tick, 0)}
            </text>
          </g>
        ))}
        <text class="chart-tick" x={xOf(0.5)} y={HEIGHT - 4} text-anchor="middle">
          share of the range, strongest first
        </text>
        {both.map((steps, player) => (
          <path key={player} class={`equity-line player-${player}`} d={pathOf(steps)} />
        ))}
        {at !== null && <line class="chart-cursor" x1={xOf(at)} x2={xOf(at)} y1={TOP} y2={HEIGHT - BOTTOM} />}
      </svg>
      <figcaption class="row small-text">
        <span class="muted num">At {percent(at ?? 0.5, 0)} of the range:</span>
        {node.players.map((side, player) => (
          <span key={side.name} class="legend-entry num">
            <span class={`line-sign player-${player}`} aria-hidden="true" /> {side.name} {read(player)}
          </span>
        ))}
        <span class="muted">Equity of a hand against the other's range.</span>
      </figcaption>
    </figure>
  );
}
