// Two nodes side by side: what is compared, and how much it differs.
import { combos, ev, percent, signed } from "../format";
import type { Cell, NodeReply } from "../types";
import { diverging } from "./colours";
import type { CellLook } from "./HandGrid";

export interface Measure {
  key: string;
  text: string;
  // Of a cell at a node; null where the node has no such number.
  value: (node: NodeReply, player: 0 | 1, cell: Cell) => number | null;
  write: (value: number) => string;
}

const share = (value: number) => percent(value);

export const PLAIN_MEASURES: Measure[] = [
  { key: "ev", text: "EV", value: (_, __, cell) => cell.ev, write: ev },
  { key: "equity", text: "Equity", value: (_, __, cell) => cell.equity, write: share },
  {
    key: "reach",
    text: "Reach",
    value: (_, __, cell) => (cell.possible > 0 ? cell.reach / cell.possible : 0),
    write: share,
  },
];

function acts(node: NodeReply, player: 0 | 1): boolean {
  return node.kind === "decision" && node.player === player;
}

// Actions of both nodes by their text, those of the first one first.
export function sharedActions(a: NodeReply, b: NodeReply): string[] {
  const texts = [...a.actions, ...b.actions].map((action) => action.text);
  return [...new Set(texts)];
}

export function measuresOf(a: NodeReply, b: NodeReply, player: 0 | 1): Measure[] {
  if (!acts(a, player) || !acts(b, player)) return PLAIN_MEASURES;
  const actions = sharedActions(a, b).map((text): Measure => ({
    key: `action ${text}`,
    text,
    value: (node, _, cell) => cell.mix[node.actions.findIndex((action) => action.text === text)] ?? 0,
    write: share,
  }));
  return [...actions, ...PLAIN_MEASURES];
}

export interface Difference {
  looks: CellLook[];
  most: number; // the largest difference, for the legend
}

// The second less the first, cell by cell.
export function differenceOf(a: NodeReply, b: NodeReply, player: 0 | 1, measure: Measure): Difference {
  const cells = a.players[player].cells.map((cell, at) => ({
    one: cell,
    other: b.players[player].cells[at],
  }));
  const values = cells.map(({ one, other }) => {
    // What somebody has nothing of has no EV; how much of it there is can be compared all the same.
    const there =
      other && (measure.key === "reach" ? one.reach + other.reach > 0 : one.reach > 0 && other.reach > 0);
    if (!there) return null;
    const before = measure.value(a, player, one);
    const after = measure.value(b, player, other);
    return before === null || after === null ? null : after - before;
  });
  const most = Math.max(0, ...values.map((value) => Math.abs(value ?? 0)));
  const looks = values.map((value, at): CellLook => {
    const name = cells[at]?.one.name ?? "";
    if (value === null) return { label: `${name}: not in both`, class: "empty" };
    const text = signed(value, measure.write);
    const paint = diverging(most > 0 ? value / most : 0);
    return { label: `${name}: ${text}`, background: paint.fill, ink: paint.ink, text: text.replace("%", "") };
  });
  return { looks, most };
}

export interface CompareRow {
  key: string;
  name: string;
  a: string;
  b: string;
  difference: string;
}

function row(
  key: string,
  name: string,
  a: number | null,
  b: number | null,
  write: (value: number) => string,
): CompareRow {
  const text = (value: number | null) => (value === null ? "-" : write(value));
  const difference = a === null || b === null ? "-" : signed(b - a, write);
  return { key, name, a: text(a), b: text(b), difference };
}

export function sideRows(a: NodeReply, b: NodeReply, player: 0 | 1): CompareRow[] {
  const [one, other] = [a.players[player], b.players[player]];
  const id = one.name.toLowerCase();
  return [
    row(`combos-${id}`, "Combos", one.combos, other.combos, combos),
    row(`equity-${id}`, "Equity", one.equity, other.equity, share),
    row(`ev-${id}`, "EV", one.ev, other.ev, ev),
    row(`ev-percent-${id}`, "EV of the pot", one.ev / a.pot, other.ev / b.pot, share),
    row(`realised-${id}`, "Realised", one.realisation, other.realisation, share),
    row(`best-${id}`, "Best response", one.best_response, other.best_response, ev),
  ];
}

export function actionRows(a: NodeReply, b: NodeReply): CompareRow[] {
  const frequency = (node: NodeReply, text: string) => {
    const at = node.actions.findIndex((action) => action.text === text);
    return at < 0 ? null : (node.frequencies[at] ?? 0);
  };
  return sharedActions(a, b).map((text) =>
    row(`action-${text}`, text, frequency(a, text), frequency(b, text), share),
  );
}
