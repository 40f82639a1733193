// Hands one by one: those of a cell, or all of a range, with what `cleave show --hand` prints.
import { useMemo, useState } from "preact/hooks";
import { ev, fixed, percent } from "../format";
import type { NodeReply, SideReply } from "../types";
import { Button } from "../ui";
import { CELL_NAMES, handMatches } from "./cards";
import { actionPaints, mixGradient, type Paint } from "./colours";
import { download, HandText, Swatch } from "./parts";

type Hands = SideReply["hands"];

interface Column {
  key: string;
  title: string;
  paint?: Paint;
  value: (hands: Hands, hand: number) => number;
  write: (value: number) => string;
}

const write3 = (value: number) => fixed(value, 3);
const share = (value: number) => percent(value);
const COLUMNS: Column[] = [
  { key: "range", title: "Range", value: (hands, hand) => hands.range[hand] ?? 0, write: write3 },
  { key: "reach", title: "Reach", value: (hands, hand) => hands.reach[hand] ?? 0, write: write3 },
  { key: "equity", title: "Equity", value: (hands, hand) => hands.equity[hand] ?? 0, write: share },
  { key: "ev", title: "EV", value: (hands, hand) => hands.ev[hand] ?? 0, write: ev },
  { key: "realised", title: "Realised", value: (hands, hand) => hands.realisation[hand] ?? 0, write: share },
  { key: "best", title: "Best resp.", value: (hands, hand) => hands.best_response[hand] ?? 0, write: ev },
];

function columnsOf(node: NodeReply, player: 0 | 1): Column[] {
  const { strategy } = node.players[player].hands;
  if (strategy.length === 0) return COLUMNS;
  const paints = actionPaints(node.actions);
  return [
    ...COLUMNS,
    ...node.actions.map((action, a) => ({
      key: `action-${a}`,
      title: action.text,
      paint: paints[a],
      value: (hands: Hands, hand: number) => hands.strategy[a]?.[hand] ?? 0,
      write: share,
    })),
  ];
}

interface Sort {
  key: string; // "" is the order of the solution
  down: boolean;
}

function sorted(hands: Hands, rows: number[], columns: Column[], sort: Sort): number[] {
  if (sort.key === "hand") {
    const ordered = [...rows].sort((a, b) => (hands.cell[a] ?? 0) - (hands.cell[b] ?? 0));
    return sort.down ? ordered : ordered.reverse();
  }
  const column = columns.find((one) => one.key === sort.key);
  if (!column) return rows;
  const sign = sort.down ? -1 : 1;
  return [...rows].sort((a, b) => sign * (column.value(hands, a) - column.value(hands, b)));
}

interface TableProps {
  node: NodeReply;
  player: 0 | 1;
  rows: number[];
  label: string;
}

export function HandsTable({ node, player, rows, label }: TableProps) {
  const { hands } = node.players[player];
  const [sort, setSort] = useState<Sort>({ key: "", down: true });
  const columns = useMemo(() => columnsOf(node, player), [node, player]);
  const ordered = useMemo(() => sorted(hands, rows, columns, sort), [hands, rows, columns, sort]);
  const paints = columns.slice(COLUMNS.length).map((column) => column.paint ?? { fill: "", ink: "" });

  function choose(key: string) {
    setSort((before) => ({ key, down: before.key === key ? !before.down : true }));
  }
  return (
    <div class="hands-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="tight hands">
        <thead>
          <tr>
            <SortHead title="Hand" id="hand" sort={sort} onSort={choose} />
            {columns.map((column) => (
              <SortHead
                key={column.key}
                title={column.title}
                id={column.key}
                sort={sort}
                onSort={choose}
                column={column}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.map((hand) => (
            <HandRow key={hands.hand[hand]} hands={hands} hand={hand} columns={columns} paints={paints} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SortHeadProps {
  title: string;
  id: string;
  sort: Sort;
  onSort: (key: string) => void;
  column?: Column;
}

export function SortHead({ title, id, sort, onSort, column }: SortHeadProps) {
  const on = sort.key === id;
  return (
    <th class={id === "hand" ? "" : "num"} aria-sort={on ? (sort.down ? "descending" : "ascending") : "none"}>
      <button type="button" class="sort-button" onClick={() => onSort(id)}>
        {column?.paint && <Swatch paint={column.paint} />}
        {title}
        <span aria-hidden="true">{on ? (sort.down ? " ↓" : " ↑") : ""}</span>
      </button>
    </th>
  );
}

function HandRow(props: { hands: Hands; hand: number; columns: Column[]; paints: Paint[] }) {
  const { hands, hand, columns, paints } = props;
  const name = hands.hand[hand] ?? "";
  const mix = hands.strategy.map((column) => column[hand] ?? 0);
  return (
    <tr data-testid={`hand-${name}`} class={(hands.reach[hand] ?? 0) === 0 ? "gone" : ""}>
      <td class="hand-name">
        <HandText hand={name} />
        {mix.length > 0 && (
          <span class="mix-line" style={{ background: mixGradient(mix, paints) }} aria-hidden="true" />
        )}
      </td>
      {columns.map((column) => (
        <td key={column.key} class="num" data-col={column.key}>
          {column.write(column.value(hands, hand))}
        </td>
      ))}
    </tr>
  );
}

export function CellHands({ node, player, cell }: { node: NodeReply; player: 0 | 1; cell: number }) {
  const side = node.players[player];
  const rows = useMemo(
    () => side.hands.cell.flatMap((of, hand) => (of === cell ? [hand] : [])),
    [side, cell],
  );
  const name = CELL_NAMES[cell] ?? "";
  if (rows.length === 0) {
    return (
      <p class="muted">
        {side.name} has no {name} here: it is not in the range, or the board blocks it.
      </p>
    );
  }
  return <HandsTable node={node} player={player} rows={rows} label={`Hands of ${name}`} />;
}

const MOST_ROWS = 300;

export function AllHands({ node, player, name }: { node: NodeReply; player: 0 | 1; name: string }) {
  const side = node.players[player];
  const [filter, setFilter] = useState("");
  const [gone, setGone] = useState(false);
  const [all, setAll] = useState(false);
  const rows = useMemo(
    () =>
      side.hands.hand.flatMap((hand, at) =>
        (gone || (side.hands.reach[at] ?? 0) > 0) &&
        handMatches(filter, hand, CELL_NAMES[side.hands.cell[at] ?? 0] ?? "")
          ? [at]
          : [],
      ),
    [side, filter, gone],
  );
  const shown = useMemo(() => (all ? rows : rows.slice(0, MOST_ROWS)), [rows, all]);
  return (
    <div class="stack">
      <div class="row">
        <input
          class="filter"
          placeholder="AKs, QQ, AhKh, Kh…"
          value={filter}
          aria-label="Show only these hands"
          data-testid="hands-filter"
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <label class="check small-text">
          <input type="checkbox" checked={gone} onChange={(event) => setGone(event.currentTarget.checked)} />
          Also hands that do not get here
        </label>
        <span class="muted small-text num">{rows.length} hands</span>
        <Button
          small
          testid="export-csv"
          onClick={() => download(`${name}.csv`, "text/csv", csvOf(node, player, rows))}
        >
          Export as CSV
        </Button>
      </div>
      {rows.length === 0 ? (
        <p class="muted">
          No hand of {side.name} fits. Write kinds such as AKs or QQ, hands such as AhKh, cards such as Kh.
        </p>
      ) : (
        <HandsTable node={node} player={player} rows={shown} label={`Hands of ${side.name}`} />
      )}
      {rows.length > shown.length && (
        <Button small onClick={() => setAll(true)}>
          Show all {rows.length}
        </Button>
      )}
    </div>
  );
}

// Unrounded, with the names of `cleave show --json`.
export function csvOf(node: NodeReply, player: 0 | 1, rows: number[]): string {
  const { hands } = node.players[player];
  const acts = hands.strategy.length > 0;
  const names = ["hand", "range", "reach", "weight", "equity", "ev", "realisation", "best_response"];
  const lines = [[...names, ...(acts ? node.actions.map((action) => action.text) : [])].join(",")];
  const numbers = [
    hands.range,
    hands.reach,
    hands.weight,
    hands.equity,
    hands.ev,
    hands.realisation,
    hands.best_response,
    ...hands.strategy,
  ];
  for (const row of rows) lines.push([hands.hand[row], ...numbers.map((column) => column[row])].join(","));
  return `${lines.join("\n")}\n`;
}
