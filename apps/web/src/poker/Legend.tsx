// What the grid's colours mean, with numbers.
import { percent } from "../format";
import type { NodeReply } from "../types";
import { actionPaints, heat } from "./colours";
import { Swatch } from "./parts";
import { MOST_REALISED, scaleOf, type View } from "./views";

const STOPS = [0, 0.25, 0.5, 0.75, 1];

export function HeatBar(props: { low: string; high: string; middle?: string; label: string }) {
  const colours = STOPS.map((at) => heat(at).fill).join(", ");
  return (
    <div
      class="heat-bar"
      role="img"
      aria-label={`${props.label}: dark is ${props.low}, light is ${props.high}`}
    >
      <span class="num">{props.low}</span>
      <span class="heat-colours" style={{ background: `linear-gradient(90deg, ${colours})` }} />
      <span class="num">{props.high}</span>
    </div>
  );
}

const WORDS: Record<Exclude<View, "strategy">, string> = {
  ev: "EV in chips",
  equity: "Equity, % of the pot",
  reach: "Colour: share of the hand that gets here; number: combos",
  realised: "EV, % of equity times pot",
};

export function Legend({ node, player, view }: { node: NodeReply; player: 0 | 1; view: View }) {
  if (view === "strategy") {
    const paints = actionPaints(node.actions);
    return (
      <div class="legend small-text">
        {node.actions.map((action, a) => (
          <span key={action.text} class="legend-entry">
            <Swatch paint={paints[a]} /> {action.text}
          </span>
        ))}
        <span class="muted">The lower the bar, the fewer of the hand get here.</span>
      </div>
    );
  }
  const scale = scaleOf(node, player, view);
  const write = view === "reach" ? (value: number) => percent(value, 0) : scale.write;
  const more = view === "realised" && scale.high === MOST_REALISED ? " and more" : "";
  return (
    <div class="legend small-text">
      <HeatBar low={write(scale.low)} high={write(scale.high) + more} label={WORDS[view]} />
      <span class="muted">{WORDS[view]}</span>
    </div>
  );
}
