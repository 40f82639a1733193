// What the grid shows of a node: the mix of actions, or one number per cell.
import { combos, ev, percent } from "../format";
import type { Cell, NodeReply } from "../types";
import { actionPaints, heat, isDarkLeft, mixGradient, type Paint } from "./colours";
import type { CellLook } from "./HandGrid";

export type View = "strategy" | "ev" | "equity" | "reach" | "realised";

export const VIEWS: { key: View; text: string; title: string }[] = [
  { key: "strategy", text: "Strategy", title: "How often each hand takes each action" },
  { key: "ev", text: "EV", title: "Chips expected from here on, of those in the pot and those to come" },
  { key: "equity", text: "Equity", title: "Share of the pot if everything were checked from here on" },
  { key: "reach", text: "Reach", title: "How much of each hand gets here" },
  { key: "realised", text: "Realised", title: "EV as a share of what equity alone would win of the pot" },
];

export function nextView(view: View): View {
  const at = VIEWS.findIndex((one) => one.key === view);
  return VIEWS[(at + 1) % VIEWS.length]?.key ?? "strategy";
}

// The mix is known of who acts only; of the other the equity is shown, as `cleave show` does.
export function viewOf(node: NodeReply, player: number, wanted: View): View {
  const acts = node.kind === "decision" && node.player === player;
  return wanted === "strategy" && !acts ? "equity" : wanted;
}

export function realised(cell: Cell, pot: number): number {
  return cell.equity > 0 ? cell.ev / (cell.equity * pot) : 0;
}

// A hand with hardly any equity can realise many times as much; it would leave no colours for the others.
export const MOST_REALISED = 2;

export interface Scale {
  low: number;
  high: number;
  value: (cell: Cell) => number;
  write: (value: number) => string;
}

// From the least to the most of what is there; equity from none to all.
export function scaleOf(node: NodeReply, player: 0 | 1, view: Exclude<View, "strategy">): Scale {
  const cells = node.players[player].cells.filter((cell) => cell.reach > 0);
  const ends = (value: (cell: Cell) => number, limit = Infinity): [number, number] => {
    const values = cells.map(value);
    if (values.length === 0) return [0, 1];
    return [Math.min(...values), Math.min(limit, Math.max(...values))];
  };
  if (view === "equity")
    return { low: 0, high: 1, value: (cell) => cell.equity, write: (value) => percent(value) };
  if (view === "ev") {
    const [low, high] = ends((cell) => cell.ev);
    return { low, high, value: (cell) => cell.ev, write: ev };
  }
  if (view === "realised") {
    const value = (cell: Cell) => realised(cell, node.pot);
    const [low, high] = ends(value, MOST_REALISED);
    return { low: Math.max(0, low), high, value, write: (share) => percent(share) };
  }
  const value = (cell: Cell) => (cell.possible > 0 ? cell.reach / cell.possible : 0);
  return { low: 0, high: ends(value)[1], value, write: (share) => percent(share) };
}

function place(scale: Scale, value: number): number {
  return scale.high > scale.low ? (value - scale.low) / (scale.high - scale.low) : 0.5;
}

export function mixWords(node: NodeReply, mix: readonly number[]): string {
  return node.actions
    .map((action, a) => [action.text, mix[a] ?? 0] as const)
    .filter(([, share]) => share >= 0.0005)
    .map(([text, share]) => `${text} ${percent(share)}`)
    .join(", ");
}

const NOBODY: Pick<CellLook, "class"> = { class: "empty" };

export function looksOf(node: NodeReply, player: 0 | 1, view: View): CellLook[] {
  const cells = node.players[player].cells;
  if (view === "strategy") {
    const paints = actionPaints(node.actions);
    return cells.map((cell) => strategyLook(node, cell, paints));
  }
  const scale = scaleOf(node, player, view);
  return cells.map((cell) => numberLook(cell, scale, view));
}

function strategyLook(node: NodeReply, cell: Cell, paints: Paint[]): CellLook {
  if (cell.reach === 0) return { ...NOBODY, label: `${cell.name}: none gets here` };
  // Only the feet of the letters stand in a low bar.
  const under = cell.share < 0.4 ? "low" : isDarkLeft(cell.mix, paints) ? "mixed dark" : "mixed";
  return {
    label: `${cell.name}: ${mixWords(node, cell.mix)}; ${combos(cell.reach)} combos`,
    background: mixGradient(cell.mix, paints),
    level: Math.max(0.08, cell.share),
    class: under,
  };
}

function numberLook(cell: Cell, scale: Scale, view: View): CellLook {
  if (cell.reach === 0) return { ...NOBODY, label: `${cell.name}: none gets here` };
  const value = scale.value(cell);
  const paint = heat(place(scale, value));
  const text = view === "reach" ? combos(cell.reach) : scale.write(value);
  return {
    label: `${cell.name}: ${text}${view === "reach" ? " combos" : ""}`,
    background: paint.fill,
    ink: paint.ink,
    text: text.replace("%", ""),
    class: cell.share < 0.25 ? "faint" : "",
  };
}
