// A spot as the text of its file. The server's /api/spot/check is the way back.
import type { SizesForm, SpotForm, StreetForm } from "../types";
import { parseCards } from "./cards";

export const STREETS = ["flop", "turn", "river"] as const;
export const NO_LIMIT = 255;

// 0 for a flop, 1 for a turn, 2 for a river: where the spot's streets begin.
export function firstStreet(board: string): number {
  const cards = parseCards(board)?.length ?? 3;
  return Math.min(2, Math.max(0, cards - 3));
}

const quoted = (text: string) => JSON.stringify(text);

function raiseText(levels: string[]): string {
  if (levels.length < 2) return quoted(levels[0] ?? "");
  return `[${levels.map(quoted).join(", ")}]`;
}

function sizesText(sizes: SizesForm, prefix: string): string {
  const donk = sizes.donk === null ? "" : `${prefix}donk = ${quoted(sizes.donk)}\n`;
  return `${prefix}bet = ${quoted(sizes.bet)}\n${donk}${prefix}raise = ${raiseText(sizes.raise)}\n`;
}

export function sameSizes(street: StreetForm): boolean {
  return street.oop.bet === street.ip.bet && raiseText(street.oop.raise) === raiseText(street.ip.raise);
}

function streetText(street: StreetForm, name: string): string {
  const sizes = sameSizes(street)
    ? sizesText(street.oop, "")
    : sizesText(street.oop, "oop.") + sizesText({ ...street.ip, donk: null }, "ip.");
  const most = street.max_raises === NO_LIMIT ? "" : `max_raises = ${street.max_raises}\n`;
  return `\n[${name}]\n${sizes}${most}`;
}

function treeText(tree: SpotForm["tree"]): string {
  let text = "";
  if (tree.add_allin > 0) text += `add_allin = ${tree.add_allin}\n`;
  if (tree.force_allin > 0) text += `force_allin = ${tree.force_allin}\n`;
  if (tree.merge > 0) text += `merge = ${tree.merge}\n`;
  if (tree.min_bet !== 1) text += `min_bet = ${tree.min_bet}\n`;
  if (tree.remove.length > 0) text += `remove = [${tree.remove.map(quoted).join(", ")}]\n`;
  if (!tree.symmetry) text += "symmetry = false\n";
  return text && `\n[tree]\n${text}`;
}

function lockText(lock: SpotForm["locks"][number]): string {
  return lock.parts
    .map((part) => {
      const hands = part.hands.trim() === "" ? "" : `hands = ${quoted(part.hands)}\n`;
      const actions = Object.entries(part.strategy).map(([action, share]) => `${quoted(action)} = ${share}`);
      return `\n[[lock]]\nnode = ${quoted(lock.node)}\n${hands}strategy = { ${actions.join(", ")} }\n`;
    })
    .join("");
}

export function spotText(form: SpotForm): string {
  const [oop, ip] = form.stack;
  let text = `board = ${quoted(form.board)}\npot = ${form.pot}\n`;
  text += oop === ip ? `stack = ${oop}\n` : `stack = [${oop}, ${ip}]\n`;
  text += `\n[range]\noop = ${quoted(form.range.oop)}\nip = ${quoted(form.range.ip)}\n`;
  for (let s = firstStreet(form.board); s < STREETS.length; s++) {
    const street = form.streets[s];
    if (street) text += streetText(street, STREETS[s] ?? "");
  }
  const { percent, cap } = form.rake;
  if (percent > 0) text += `\n[rake]\npercent = ${percent}\n${cap > 0 ? `cap = ${cap}\n` : ""}`;
  text += treeText(form.tree);
  return text + form.locks.map(lockText).join("");
}
