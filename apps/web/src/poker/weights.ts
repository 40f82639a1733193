// Ranges as 1326 weights, and what is done to them.
import { CELL_COMBOS, COMBOS, NUM_COMBOS } from "./cards";

export type Weights = readonly number[];

export function emptyWeights(): number[] {
  return new Array<number>(NUM_COMBOS).fill(0);
}

// The mean weight of a cell's hands.
export function cellWeight(weights: Weights, cell: number): number {
  const hands = CELL_COMBOS[cell] ?? [];
  return hands.reduce((sum, hand) => sum + (weights[hand] ?? 0), 0) / hands.length;
}

export function withCell(weights: Weights, cell: number, weight: number): number[] {
  const next = [...weights];
  for (const hand of CELL_COMBOS[cell] ?? []) next[hand] = weight;
  return next;
}

export function withHand(weights: Weights, hand: number, weight: number): number[] {
  const next = [...weights];
  next[hand] = weight;
  return next;
}

export function countHands(weights: Weights, blocked?: (hand: number) => boolean): number {
  return weights.reduce((sum, weight, hand) => (blocked?.(hand) ? sum : sum + weight), 0);
}

const high = (hand: number) => (COMBOS[hand]?.high ?? 0) >> 2;
const low = (hand: number) => (COMBOS[hand]?.low ?? 0) >> 2;
const suited = (hand: number) => ((COMBOS[hand]?.high ?? 0) & 3) === ((COMBOS[hand]?.low ?? 0) & 3);

// Sets of hands that are painted at once.
export const HAND_SETS: { name: string; title: string; has: (hand: number) => boolean }[] = [
  { name: "Any two", title: "All 1326 hands", has: () => true },
  { name: "Pairs", title: "22+", has: (hand) => high(hand) === low(hand) },
  { name: "Suited", title: "All suited hands", has: suited },
  {
    name: "Broadway",
    title: "Both cards ten or higher, without pairs",
    has: (h) => low(h) >= 8 && high(h) !== low(h),
  },
  { name: "Suited aces", title: "A2s+", has: (hand) => high(hand) === 12 && suited(hand) },
  {
    name: "Suited connectors",
    title: "54s to KQs",
    has: (h) => high(h) - low(h) === 1 && suited(h) && low(h) > 1 && high(h) < 12,
  },
];

export function withSet(weights: Weights, has: (hand: number) => boolean, weight: number): number[] {
  return weights.map((before, hand) => (has(hand) ? weight : before));
}

export function inverted(weights: Weights): number[] {
  return weights.map((weight) => Math.round((1 - weight) * 1e6) / 1e6);
}
