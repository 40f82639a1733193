// A lock being made at the node that is shown: for which hands, and what they do.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { LockForm, NodeReply, Solution } from "../types";
import { CELL_COMBOS, cardNumber, comboNumber } from "./cards";
import { partsAsSolved, solvedMix, strategyOf } from "./mix";
import { useRange, type RangeState } from "./useRange";
import { withCell } from "./weights";

export type Part = LockForm["parts"][number];

export interface LockEditor {
  parts: Part[]; // made so far; later ones win
  setParts: (parts: Part[]) => void;
  scope: "all" | "chosen";
  setScope: (scope: "all" | "chosen") => void;
  others: "free" | "solved"; // what the hands do that no part names
  setOthers: (others: "free" | "solved") => void;
  text: string; // the chosen hands
  setText: (text: string) => void;
  range: RangeState;
  mix: number[];
  setMix: (mix: number[]) => void;
  fromSolution: () => void;
  current: () => Part | null; // what is being set; null where no hand is chosen
  whole: () => Part[];
  cells: ReadonlySet<number>;
  toggle: (cell: number, begins: boolean) => void;
}

function handNumber(text: string): number {
  return comboNumber(cardNumber(text.slice(0, 2)), cardNumber(text.slice(2)));
}

export function useLock(node: NodeReply, solution: Solution): LockEditor {
  const before = solution.spot.locks.find((lock) => lock.node === node.node);
  const [parts, setParts] = useState<Part[]>(before?.parts ?? []);
  const [scope, setScope] = useState<"all" | "chosen">("all");
  const [others, setOthers] = useState<"free" | "solved">("free");
  const [text, setText] = useState("");
  const [mix, setMix] = useState<number[]>(() => [...node.frequencies]);
  const adds = useRef(true); // whether the stroke under way chooses hands or leaves them out
  const range = useRange(text, setText);
  const cells = useMemo(() => cellsIn(range), [range.weights]);

  useEffect(() => {
    setParts(before?.parts ?? []);
    setText("");
    setMix([...node.frequencies]);
  }, [node]);

  function has(hand: number): boolean {
    if (scope === "all") return true;
    const name = node.players[node.player as 0 | 1].hands.hand[hand] ?? "";
    return (range.weights[handNumber(name)] ?? 0) > 0;
  }
  function current(): Part | null {
    if (scope === "chosen" && text.trim() === "") return null;
    return { hands: scope === "all" ? "" : text.trim(), strategy: strategyOf(node.actions, mix) };
  }
  function whole(): Part[] {
    const now = current();
    const kept = scope === "chosen" && others === "solved" ? partsAsSolved(node) : [];
    return [...kept, ...parts, ...(now ? [now] : [])];
  }
  function toggle(cell: number, begins: boolean) {
    if (begins) adds.current = !cells.has(cell);
    const add = adds.current;
    setScope("chosen");
    range.paint((weights) => withCell(weights, cell, add ? 1 : 0), !begins);
  }
  return {
    ...{ parts, setParts, scope, setScope, others, setOthers, text, setText, range, mix, setMix },
    ...{ current, whole, cells, toggle },
    fromSolution: () => setMix(solvedMix(node, has)),
  };
}

function cellsIn(range: RangeState): ReadonlySet<number> {
  const found = new Set<number>();
  CELL_COMBOS.forEach((hands, cell) => {
    if (hands.some((hand) => (range.weights[hand] ?? 0) > 0)) found.add(cell);
  });
  return found;
}
