// Both ranges in numbers, as `cleave show` prints them, and what the range does.
import { combos, ev, percent } from "../format";
import type { NodeReply } from "../types";
import { actionPaints, mixGradient } from "./colours";
import { Swatch } from "./parts";
import { sizeWords } from "./PathBar";
import { below } from "./useNode";

export function Summary({ node }: { node: NodeReply }) {
  return (
    <div class="scroll-x">
      <table class="tight summary">
        <thead>
          <tr>
            <th />
            <th class="num">Combos</th>
            <th class="num">Equity</th>
            <th class="num">EV</th>
            <th class="num">of the pot</th>
            <th class="num">Realised</th>
            <th class="num">Best response</th>
          </tr>
        </thead>
        <tbody>
          {node.players.map((side, player) => {
            const id = side.name.toLowerCase();
            const acts = node.kind === "decision" && node.player === player;
            return (
              <tr key={side.name}>
                <th scope="row">
                  {side.name}
                  {acts && <span class="muted to-act"> to act</span>}
                </th>
                <td class="num" data-testid={`combos-${id}`}>
                  {combos(side.combos)}
                </td>
                <td class="num" data-testid={`equity-${id}`}>
                  {percent(side.equity)}
                </td>
                <td class="num" data-testid={`ev-${id}`}>
                  {ev(side.ev)}
                </td>
                <td class="num" data-testid={`ev-percent-${id}`}>
                  {percent(side.ev / node.pot)}
                </td>
                <td class="num" data-testid={`realised-${id}`}>
                  {percent(side.realisation)}
                </td>
                <td class="num" data-testid={`best-response-${id}`}>
                  {ev(side.best_response)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

// The range's frequencies: one bar, and a line for each action.
export function ActionBars({ node, onGo }: { node: NodeReply; onGo: (line: string) => void }) {
  if (node.kind !== "decision") return null;
  const paints = actionPaints(node.actions);
  return (
    <div class="action-bars">
      <div
        class="range-bar"
        style={{ background: mixGradient(node.frequencies, paints) }}
        aria-hidden="true"
      />
      <ul>
        {node.actions.map((action, a) => (
          <li key={action.text}>
            <button
              type="button"
              class="action-line"
              title={`Go on with ${action.text}${a < 9 ? ` (key ${a + 1})` : ""}`}
              onClick={() => onGo(below(node.node, action.text))}
            >
              <Swatch paint={paints[a]} />
              <span class="action-text">{action.text}</span>
              <span class="muted num action-size">{sizeWords(action)}</span>
              <strong class="num" data-testid={`frequency-${a}`}>
                {percent(node.frequencies[a] ?? 0)}
              </strong>
              <span class="num muted" data-testid={`action-combos-${a}`}>
                {combos(node.combos[a] ?? 0)} combos
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
