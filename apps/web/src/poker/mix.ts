// Frequencies that sum to 1, and the hands they are fixed for.
import type { ActionForm, LockForm, NodeReply } from "../types";

// One share set, the others scaled to what is left; in full where they had nothing, the first one takes it.
export function withShare(mix: readonly number[], action: number, share: number): number[] {
  const set = Math.min(1, Math.max(0, share));
  const rest = mix.reduce((sum, value, a) => (a === action ? sum : sum + value), 0);
  const first = action === 0 ? 1 : 0;
  return mix.map((value, a) => {
    if (a === action) return mix.length === 1 ? 1 : set;
    if (rest > 1e-9) return (value / rest) * (1 - set);
    return a === first ? 1 - set : 0;
  });
}

export function pure(count: number, action: number): number[] {
  return Array.from({ length: count }, (_, a) => (a === action ? 1 : 0));
}

// As a lock writes it: six digits, summing to 1 exactly enough, without what never happens.
export function strategyOf(actions: readonly ActionForm[], mix: readonly number[]): Record<string, number> {
  const rounded = mix.map((share) => Math.round(share * 1e6) / 1e6);
  const largest = rounded.indexOf(Math.max(...rounded));
  const others = rounded.reduce((sum, share, a) => (a === largest ? sum : sum + share), 0);
  rounded[largest] = Math.round((1 - others) * 1e6) / 1e6;
  const entries = actions.flatMap((action, a) =>
    (rounded[a] ?? 0) > 0 ? [[action.text, rounded[a] ?? 0] as const] : [],
  );
  return Object.fromEntries(entries);
}

export function mixOf(actions: readonly ActionForm[], strategy: Record<string, number>): number[] {
  return actions.map((action) => strategy[action.text] ?? 0);
}

// What the range does with the hands that `has` names, by their reach; with none of them what all do.
export function solvedMix(node: NodeReply, has: (hand: number) => boolean): number[] {
  const { hands } = node.players[node.player as 0 | 1];
  const sums = node.actions.map(() => 0);
  let total = 0;
  hands.hand.forEach((_, hand) => {
    const reach = hands.reach[hand] ?? 0;
    if (reach <= 0 || !has(hand)) return;
    total += reach;
    sums.forEach((_, a) => (sums[a]! += reach * (hands.strategy[a]?.[hand] ?? 0)));
  });
  return total > 0 ? sums.map((sum) => sum / total) : [...node.frequencies];
}

// Every hand as it was solved: hands that do the same share a part.
export function partsAsSolved(node: NodeReply): LockForm["parts"] {
  const { hands } = node.players[node.player as 0 | 1];
  const parts = new Map<string, { hands: string[]; strategy: Record<string, number> }>();
  hands.hand.forEach((name, hand) => {
    if ((hands.reach[hand] ?? 0) <= 0) return;
    const strategy = strategyOf(
      node.actions,
      hands.strategy.map((column) => Math.round((column[hand] ?? 0) * 1e4) / 1e4),
    );
    const key = JSON.stringify(strategy);
    const part = parts.get(key) ?? { hands: [], strategy };
    part.hands.push(name);
    parts.set(key, part);
  });
  return [...parts.values()].map((part) => ({ ...part, hands: part.hands.join(",") }));
}

export function mixText(strategy: Record<string, number>, write: (share: number) => string): string {
  return Object.entries(strategy)
    .map(([action, share]) => `${action} ${write(share)}`)
    .join(", ");
}
