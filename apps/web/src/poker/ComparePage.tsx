// Two nodes, of one solution or of two: both grids, and what differs.
import { useMemo, useState } from "preact/hooks";
import { signed } from "../format";
import { hashOf, navigate, replaceRoute, useRoute } from "../shell/router";
import { serverState } from "../shell/server";
import { useStore } from "../shell/store";
import type { Files, NodeReply } from "../types";
import { Button, ErrorNotice, Notice, Spinner, useFetch } from "../ui";
import { diverging } from "./colours";
import { actionRows, differenceOf, measuresOf, sideRows, type CompareRow, type Measure } from "./compare";
import { HandGrid } from "./HandGrid";
import { Legend } from "./Legend";
import { isBundled, titleOf } from "./names";
import { Board, Segmented } from "./parts";
import { PathBar } from "./PathBar";
import { useNode, useSolution, type Asked } from "./useNode";
import { looksOf, viewOf, type View } from "./views";
import "./poker.css";
import "./browse.css";

interface Side {
  key: "a" | "b";
  name: string;
  file: string;
  line: string;
}

export function ComparePage() {
  const { query } = useRoute();
  const [together, setTogether] = useState(true);
  const files = useFetch<Files>("files");
  const sides: [Side, Side] = [
    { key: "a", name: "A", file: query.get("a") ?? "", line: query.get("an") ?? "" },
    { key: "b", name: "B", file: query.get("b") ?? "", line: query.get("bn") ?? "" },
  ];
  const first = useNode(sides[0].file || null, sides[0].line);
  const second = useNode(sides[1].file || null, sides[1].line);

  function show(a: Side, b: Side, replace = false) {
    const hash = hashOf("/compare", { a: a.file, an: a.line, b: b.file, bn: b.line });
    if (replace) replaceRoute(hash);
    else navigate(hash);
  }
  function change(side: Side, change: Partial<Side>) {
    const next = { ...side, ...change };
    const other = side.key === "a" ? sides[1] : sides[0];
    const moved = together && change.line !== undefined ? { ...other, line: change.line } : other;
    if (side.key === "a") show(next, moved, change.file !== undefined);
    else show(moved, next, change.file !== undefined);
  }
  const example = useStore(serverState)?.example;
  const solutions = (files.data?.files ?? [])
    .filter((entry) => entry.kind === "solution")
    .map((entry) => entry.file);
  if (example) solutions.push(example);
  return (
    <div class="page compare-page">
      <div class="page-head">
        <h1>Compare</h1>
        <label class="check">
          <input
            type="checkbox"
            checked={together}
            onChange={(event) => setTogether(event.currentTarget.checked)}
          />
          Walk both lines together
        </label>
        <Button small onClick={() => show({ ...sides[1], key: "a" }, { ...sides[0], key: "b" })}>
          Swap A and B
        </Button>
      </div>
      {files.error && <ErrorNotice error={files.error} retry={files.reload} />}
      <div class="compare-sides">
        <SidePanel
          side={sides[0]}
          node={first}
          files={solutions}
          onChange={(next) => change(sides[0], next)}
        />
        <SidePanel
          side={sides[1]}
          node={second}
          files={solutions}
          onChange={(next) => change(sides[1], next)}
        />
      </div>
      {first.data && second.data && <Comparison a={first.data} b={second.data} />}
    </div>
  );
}

interface SidePanelProps {
  side: Side;
  node: Asked<NodeReply>;
  files: string[];
  onChange: (change: Partial<Side>) => void;
}

function SidePanel({ side, node, files, onChange }: SidePanelProps) {
  const solution = useSolution(side.file || null);
  const locked = new Set(solution.data?.spot.locks.map((lock) => lock.node));
  const names = side.file && !files.includes(side.file) ? [side.file, ...files] : files;
  return (
    <section class="panel tight-panel" aria-label={`Side ${side.name}`}>
      <div class="row">
        <h2>{side.name}</h2>
        <select
          class="grow"
          value={side.file}
          aria-label={`Solution of side ${side.name}`}
          data-testid={`compare-file-${side.key}`}
          onChange={(event) => onChange({ file: event.currentTarget.value })}
        >
          {side.file === "" && <option value="">Choose a solution…</option>}
          {names.map((file) => (
            <option key={file} value={file}>
              {isBundled(file) ? titleOf(file) : file}
            </option>
          ))}
        </select>
        {node.data && <Board cards={node.data.board} />}
      </div>
      {node.error && (
        <Notice kind="bad">
          <span>{node.error.message}</span>
          <Button small onClick={() => onChange({ line: "" })}>
            Go to the start
          </Button>
        </Notice>
      )}
      {node.data ? (
        <>
          <PathBar
            node={node.data}
            locked={(line) => locked.has(line)}
            onGo={(line) => onChange({ line })}
            prefix={`${side.key}-`}
          />
          {node.data.kind === "deal" && <DealChoice node={node.data} onGo={(line) => onChange({ line })} />}
        </>
      ) : (
        side.file !== "" && !node.error && <Spinner />
      )}
    </section>
  );
}

function DealChoice({ node, onGo }: { node: NodeReply; onGo: (line: string) => void }) {
  return (
    <label class="row small-text">
      Card
      <select
        class="inline-select"
        value=""
        onChange={(event) => event.currentTarget.value && onGo(`${node.node}/${event.currentTarget.value}`)}
      >
        <option value="">Choose a card…</option>
        {node.cards.flat().map((card) => (
          <option key={card} value={card}>
            {card}
          </option>
        ))}
      </select>
    </label>
  );
}

function viewFor(measure: Measure): View {
  if (measure.key === "ev" || measure.key === "equity" || measure.key === "reach") return measure.key;
  return "strategy";
}

function Comparison({ a, b }: { a: NodeReply; b: NodeReply }) {
  const [chosen, setChosen] = useState<0 | 1 | null>(null);
  const [key, setKey] = useState("");
  const [cell, setCell] = useState(0);
  const player = chosen ?? (a.kind === "decision" ? (a.player as 0 | 1) : 0);
  const measures = useMemo(() => measuresOf(a, b, player), [a, b, player]);
  const measure = measures.find((one) => one.key === key) ?? measures[0];
  const difference = useMemo(
    () => (measure ? differenceOf(a, b, player, measure) : null),
    [a, b, player, measure],
  );
  if (!measure || !difference) return null;
  const name = a.players[player].name;
  return (
    <>
      <section class="panel">
        <div class="row">
          <Segmented
            label="Whose range"
            options={[
              { key: "0", text: "OOP" },
              { key: "1", text: "IP" },
            ]}
            chosen={String(player) as "0" | "1"}
            onChoose={(next) => setChosen(next === "0" ? 0 : 1)}
            testid="compare-player"
          />
          <label class="row">
            Compare
            <select
              class="inline-select"
              value={measure.key}
              data-testid="compare-measure"
              onChange={(event) => setKey(event.currentTarget.value)}
            >
              {measures.map((one) => (
                <option key={one.key} value={one.key}>
                  {one.text}
                </option>
              ))}
            </select>
          </label>
        </div>
        <div class="compare-grids">
          {[a, b].map((node, at) => (
            <SideGrid
              key={at}
              node={node}
              player={player}
              measure={measure}
              title={at === 0 ? "A" : "B"}
              cell={cell}
              onCell={setCell}
            />
          ))}
          <div class="stack">
            <h3>
              B less A: {measure.text} of {name}
            </h3>
            <HandGrid
              label={`Difference of ${measure.text}, B less A`}
              looks={difference.looks}
              chosen={cell}
              onChoose={setCell}
              testid="difference"
              small
            />
            <DifferenceLegend most={difference.most} measure={measure} />
          </div>
        </div>
      </section>
      <Rows a={a} b={b} />
    </>
  );
}

interface SideGridProps {
  node: NodeReply;
  player: 0 | 1;
  measure: Measure;
  title: string;
  cell: number;
  onCell: (cell: number) => void;
}

function SideGrid({ node, player, measure, title, cell, onCell }: SideGridProps) {
  const view = viewOf(node, player, viewFor(measure));
  const looks = useMemo(() => looksOf(node, player, view), [node, player, view]);
  return (
    <div class="stack">
      <h3>{title}</h3>
      <HandGrid
        label={`${view} of ${node.players[player].name}, ${title}`}
        looks={looks}
        chosen={cell}
        onChoose={onCell}
        testid={`grid-${title.toLowerCase()}`}
        small
      />
      <Legend node={node} player={player} view={view} />
    </div>
  );
}

function DifferenceLegend({ most, measure }: { most: number; measure: Measure }) {
  const colours = [-1, -0.5, 0, 0.5, 1].map((at) => diverging(at).fill).join(", ");
  return (
    <div class="legend small-text">
      <div class="heat-bar" role="img" aria-label="Blue: less in B. Orange: more in B.">
        <span class="num">{signed(-most, measure.write)}</span>
        <span class="heat-colours" style={{ background: `linear-gradient(90deg, ${colours})` }} />
        <span class="num">{signed(most, measure.write)}</span>
      </div>
      <span class="muted">Blue: less in B. Orange: more in B.</span>
    </div>
  );
}

function Rows({ a, b }: { a: NodeReply; b: NodeReply }) {
  const actions = actionRows(a, b);
  return (
    <section class="panel" aria-label="Ranges in numbers">
      <h2>Ranges in numbers</h2>
      <div class="compare-tables">
        {([0, 1] as const).map((player) => (
          <CompareTable key={player} title={a.players[player].name} rows={sideRows(a, b, player)} />
        ))}
        {actions.length > 0 && <CompareTable title="Frequencies" rows={actions} />}
      </div>
    </section>
  );
}

function CompareTable({ title, rows }: { title: string; rows: CompareRow[] }) {
  return (
    <table class="tight">
      <thead>
        <tr>
          <th>{title}</th>
          <th class="num">A</th>
          <th class="num">B</th>
          <th class="num">B less A</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key} data-testid={`compare-${row.key}`}>
            <th scope="row">{row.name}</th>
            <td class="num">{row.a}</td>
            <td class="num">{row.b}</td>
            <td class="num">{row.difference}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
