// A solved spot, there at once: the root of the solution that the server names.
import { useMemo, useState } from "preact/hooks";
import { chips, ev, exploitability, percent } from "../format";
import { CELL_NAMES } from "../poker/cards";
import { HandGrid } from "../poker/HandGrid";
import { Board } from "../poker/parts";
import { ActionBars } from "../poker/Summary";
import { useNode, useSolution } from "../poker/useNode";
import { looksOf, mixWords } from "../poker/views";
import { hashOf, navigate } from "../shell/router";
import type { NodeReply, SideReply } from "../types";
import { ErrorNotice, Spinner } from "../ui";

export function Example({ file }: { file: string }) {
  const solution = useSolution(file);
  const node = useNode(file, "");
  const error = solution.error ?? node.error;
  if (error) return <ErrorNotice error={error} />;
  if (!solution.data || !node.data) return <Spinner label="Opening a solved spot" />;
  const open = (line: string) => navigate(hashOf("/solution", { file, node: line }));
  return (
    <>
      <div class="row between">
        <div class="example-head">
          <Board cards={node.data.board} testid="home-board" />
          <span class="num">
            Pot {chips(node.data.pot)}, {chips(node.data.behind[0])} behind
          </span>
        </div>
        <a class="button primary" data-testid="home-browse" href={hashOf("/solution", { file })}>
          Browse it
        </a>
      </div>
      <div class="example">
        <ExampleGrid node={node.data} />
        <div class="stack">
          <div data-tour="example-actions">
            <p class="example-who">
              <strong>{node.data.players[node.data.player === 1 ? 1 : 0].name}</strong> acts first and plays
            </p>
            <ActionBars node={node.data} onGo={open} />
          </div>
          <RangeBars node={node.data} />
          <p class="muted small-text num">
            Solved to {exploitability(solution.data.exploitability, solution.data.exploitability_percent)}.
          </p>
        </div>
      </div>
    </>
  );
}

function ExampleGrid({ node }: { node: NodeReply }) {
  const player = node.player === 1 ? 1 : 0;
  const looks = useMemo(() => looksOf(node, player, "strategy"), [node]);
  const [chosen, setChosen] = useState(0);
  const [hovered, setHovered] = useState<number | null>(null);
  const at = hovered ?? chosen;
  const cell = node.players[player].cells[at];
  return (
    <div class="example-grid">
      <HandGrid
        label={`Strategy of ${node.players[player].name}`}
        looks={looks}
        chosen={chosen}
        onChoose={setChosen}
        onHover={setHovered}
        testid="home-cell"
        small
      />
      <p class="small-text num example-cell">
        <strong>{CELL_NAMES[at]}</strong>{" "}
        {cell && cell.reach > 0 ? mixWords(node, cell.mix) : <span class="muted">is not in the range</span>}
      </p>
    </div>
  );
}

// What the two ranges are worth.
function RangeBars({ node }: { node: NodeReply }) {
  return (
    <div class="range-bars">
      {node.players.map((side: SideReply) => (
        <div key={side.name} class="range-line">
          <strong>{side.name}</strong>
          <span class="range-ground" aria-hidden="true">
            <span style={{ width: `${100 * side.equity}%` }} />
          </span>
          <span class="num small-text">
            equity {percent(side.equity)}, EV {ev(side.ev)} chips
          </span>
        </div>
      ))}
    </div>
  );
}
