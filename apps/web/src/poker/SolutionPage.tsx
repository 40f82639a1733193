// Browses a solution: the line of play, the grid, the numbers.
import { useEffect, useMemo, useState } from "preact/hooks";
import { chips, exploitability, grouped } from "../format";
import { hashOf, navigate, useRoute } from "../shell/router";
import type { NodeReply, Solution } from "../types";
import { Button, Notice, Spinner } from "../ui";
import { draft, newDraft } from "./draft";
import { DetailTabs } from "./DetailTabs";
import { cellAfter, HandGrid } from "./HandGrid";
import { KeysDialog, useKeys } from "./Keys";
import { Legend } from "./Legend";
import { LockPanel, targetOf } from "./LockPanel";
import { stemOf, titleOf } from "./names";
import { Board, Segmented } from "./parts";
import { PathBar } from "./PathBar";
import { RunoutMap } from "./Runouts";
import { SolutionFiles } from "./SolutionFiles";
import { ActionBars, Summary } from "./Summary";
import { useLock, type LockEditor } from "./useLock";
import { above, below, useNode, useRunouts, useSolution } from "./useNode";
import { looksOf, nextView, viewOf, VIEWS, type View } from "./views";
import "./poker.css";
import "./browse.css";

export function SolutionPage() {
  const { query } = useRoute();
  const file = query.get("file");
  const line = query.get("node") ?? "";
  const solution = useSolution(file);
  const node = useNode(file, line);
  const go = (next: string) => navigate(hashOf("/solution", { file: file ?? "", node: next }));
  if (file === null) return <NoFile />;
  return (
    <div class="page solution-page">
      {solution.error && (
        <Notice kind="bad">
          <span>{solution.error.message}</span>
          <Button small onClick={() => navigate("#/files?kind=solution")}>
            Choose another
          </Button>
        </Notice>
      )}
      {solution.data && <Head solution={solution.data} line={line} />}
      {!solution.error && node.error && (
        <Notice kind="bad">
          <span>{node.error.message}</span>
          {line !== "" && (
            <Button small onClick={() => go("")}>
              Go to the start
            </Button>
          )}
        </Notice>
      )}
      {solution.data && node.data ? (
        <Browser solution={solution.data} node={node.data} waiting={!node.current} onGo={go} />
      ) : (
        !solution.error && !node.error && <Spinner label="Opening the solution" />
      )}
    </div>
  );
}

function NoFile() {
  return (
    <div class="page">
      <section class="panel">
        <h1>No solution is open</h1>
        <p>Choose one from the files, or set up a spot and solve it.</p>
        <div class="row">
          <Button kind="primary" onClick={() => navigate("#/files?kind=solution")}>
            Solutions
          </Button>
          <Button onClick={() => navigate("#/spot")}>Set up a spot</Button>
        </div>
      </section>
    </div>
  );
}

function Head({ solution, line }: { solution: Solution; line: string }) {
  function edit() {
    const storage = solution.storage as "f32" | "i16" | "f64";
    const settings = { target: targetOf(solution), storage };
    draft.set(newDraft(solution.spot, `${stemOf(solution.file)}-2`, settings));
    navigate("#/spot");
  }
  return (
    <div class="page-head solution-head">
      <h1>{titleOf(solution.file)}</h1>
      <span class="muted small-text num" data-testid="solution-exploitability">
        {exploitability(solution.exploitability, solution.exploitability_percent)} after{" "}
        {grouped(solution.iterations)} iterations
      </span>
      <span class="row head-buttons">
        <Button small onClick={edit} testid="edit-spot">
          Edit this spot
        </Button>
        <Button
          small
          testid="compare-open"
          onClick={() =>
            navigate(hashOf("/compare", { a: solution.file, an: line, b: solution.file, bn: line }))
          }
        >
          Compare
        </Button>
        <Button small onClick={() => navigate(hashOf("/play", { solution: solution.file }))}>
          Play against it
        </Button>
        <SolutionFiles file={solution.file} />
      </span>
    </div>
  );
}

interface BrowserProps {
  solution: Solution;
  node: NodeReply;
  waiting: boolean; // another node is on its way
  onGo: (line: string) => void;
}

function Browser({ solution, node, waiting, onGo }: BrowserProps) {
  const [view, setView] = useState<View>("strategy");
  const [chosen, setChosen] = useState<0 | 1 | null>(null);
  const [cell, setCell] = useState(() => bestCell(node));
  const [hover, setHover] = useState<number | null>(null);
  const [locking, setLocking] = useState(false);
  const [help, setHelp] = useState(false);
  const lock = useLock(node, solution);
  const player = chosen ?? (node.kind === "decision" ? (node.player as 0 | 1) : 0);
  useEffect(() => {
    setChosen(null);
    setLocking(false);
  }, [node.node, solution.file]);

  useKeys((event) => {
    const number = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
    const action = node.actions[number];
    const next = cellAfter(event.key, cell);
    if (waiting) return false;
    if (action) onGo(below(node.node, action.text));
    else if (event.key === "Backspace" && node.node !== "") onGo(above(node.node));
    else if (event.key === "v") setView(nextView(view));
    else if (event.key === "p") setChosen(player === 0 ? 1 : 0);
    else if (event.key === "l" && node.kind === "decision") setLocking(!locking);
    else if (event.key === "?") setHelp(true);
    else if (next !== null && isPage(event)) setCell(next);
    else return false;
    return true;
  });
  const lockedNodes = useMemo(() => new Set(solution.spot.locks.map((one) => one.node)), [solution]);
  const shared = { node, player, view, cell, onView: setView, onPlayer: setChosen, onGo };
  return (
    <div class={`browser${waiting ? " waiting" : ""}`}>
      <div class="top-row">
        <Place node={node} onHelp={() => setHelp(true)} />
        <PathBar node={node} locked={(step) => lockedNodes.has(step)} onGo={onGo} />
      </div>
      <div class="browse-columns">
        <GridSide
          {...shared}
          solution={solution}
          lock={locking ? lock : null}
          onCell={setCell}
          onHover={setHover}
        />
        <div class="stack numbers">
          <section class="panel tight-panel" aria-label="Ranges in numbers">
            <Summary node={node} />
            <ActionBars node={node} onGo={onGo} />
            {node.kind === "decision" && !locking && (
              <div class="row end">
                <Button small testid="lock-open" onClick={() => setLocking(true)}>
                  {node.locked ? "Change the lock…" : "Lock this node…"}
                </Button>
              </div>
            )}
          </section>
          {locking ? (
            <LockPanel node={node} solution={solution} lock={lock} onClose={() => setLocking(false)} />
          ) : (
            <DetailTabs {...shared} file={solution.file} cell={hover ?? cell} />
          )}
        </div>
      </div>
      <KeysDialog open={help} onClose={() => setHelp(false)} />
    </div>
  );
}

// Arrows scroll the page where something that scrolls has the focus.
function isPage(event: KeyboardEvent): boolean {
  return (
    event.target === document.body || (event.target instanceof HTMLElement && event.target.tagName === "MAIN")
  );
}

// The hand that most of gets here, to have something to look at.
function bestCell(node: NodeReply): number {
  const { cells } = node.players[node.player === 1 ? 1 : 0];
  return cells.reduce((best, cell, at) => (cell.reach > (cells[best]?.reach ?? 0) ? at : best), 0);
}

function Place({ node, onHelp }: { node: NodeReply; onHelp: () => void }) {
  return (
    <div class="place">
      <Board cards={node.board} testid="board" />
      <span class="num">
        Pot <strong data-testid="pot-here">{chips(node.pot)}</strong> chips
      </span>
      <span class="num muted small-text" data-testid="behind">
        behind: OOP {chips(node.behind[0])}, IP {chips(node.behind[1])}
      </span>
      <code class="line-text" title="The line, as cleave show --node takes it" data-testid="line">
        {node.node || "the first decision"}
      </code>
      <span>
        <button type="button" class="text-button" onClick={onHelp}>
          Keys: press ?
        </button>
      </span>
    </div>
  );
}

interface GridSideProps {
  solution: Solution;
  node: NodeReply;
  player: 0 | 1;
  view: View;
  cell: number;
  lock: LockEditor | null;
  onView: (view: View) => void;
  onPlayer: (player: 0 | 1) => void;
  onCell: (cell: number) => void;
  onHover: (cell: number | null) => void;
  onGo: (line: string) => void;
}

function GridSide(props: GridSideProps) {
  const { solution, node, player, view, cell, lock } = props;
  const shown = viewOf(node, player, view);
  const cards = node.kind === "deal" && view === "strategy";
  const runouts = useRunouts(cards ? solution.file : null, cards ? node.node : null);
  const looks = useMemo(() => looksOf(node, player, shown), [node, player, shown]);
  const options = VIEWS.map(({ key, text, title }) => ({
    key,
    text: key === "strategy" && node.kind === "deal" ? "Cards" : text,
    title: key === "strategy" && node.kind === "deal" ? "What each card leads to" : title,
    disabled: key === "strategy" && node.kind !== "deal" && viewOf(node, player, key) !== key,
  }));
  function chooseByKey(event: KeyboardEvent, at: number) {
    if (!lock || event.key !== " ") return;
    event.preventDefault();
    lock.toggle(at, true);
  }
  return (
    <section class="panel grid-panel" aria-label="Grid of hands">
      <div class="row between">
        <Segmented
          label="View"
          options={options}
          chosen={cards ? "strategy" : shown}
          onChoose={props.onView}
          testid="view"
        />
        <Segmented
          label="Whose range"
          options={[
            { key: "0", text: "OOP" },
            { key: "1", text: "IP" },
          ]}
          chosen={String(player) as "0" | "1"}
          onChoose={(key) => props.onPlayer(key === "0" ? 0 : 1)}
          testid="player"
        />
      </div>
      {cards ? (
        <RunoutMap node={node} runouts={runouts} onGo={props.onGo} />
      ) : (
        <>
          <HandGrid
            label={`${VIEWS.find((one) => one.key === shown)?.text} of ${node.players[player].name}`}
            looks={looks}
            chosen={cell}
            onChoose={props.onCell}
            onHover={props.onHover}
            onStroke={lock ? lock.toggle : undefined}
            onKey={chooseByKey}
            marked={lock?.scope === "chosen" ? lock.cells : undefined}
            testid="grid-cell"
          />
          <Legend node={node} player={player} view={shown} />
        </>
      )}
    </section>
  );
}
