// A player's range: painted in the grid, hand by hand, or written.
import { useMemo, useRef, useState } from "preact/hooks";
import { combos, percent } from "../format";
import { Button, Field, notify, notifyError } from "../ui";
import { blockedBy, CELL_COMBOS, CELL_NAMES, COMBOS, NUM_COMBOS } from "./cards";
import { HandGrid, type CellLook } from "./HandGrid";
import { HandText } from "./parts";
import { useRange } from "./useRange";
import {
  cellWeight,
  countHands,
  emptyWeights,
  HAND_SETS,
  inverted,
  withCell,
  withHand,
  withSet,
} from "./weights";
import type { Weights } from "./weights";

interface Props {
  player: "oop" | "ip";
  text: string;
  board: readonly string[];
  onText: (text: string) => void;
}

const BRUSHES = [100, 75, 50, 25, 0];

export function RangeEditor({ player, text, board, onText }: Props) {
  const range = useRange(text, onText);
  const { weights } = range;
  const [cell, setCell] = useState(0);
  const [brush, setBrush] = useState(100);
  // What the stroke under way paints: the brush, or nothing where the first cell had the brush already.
  const stroke = useRef(0);
  const blocked = useMemo(() => blockedBy(board), [board.join("")]);
  const looks = useMemo(() => CELL_NAMES.map((_, at) => lookOf(weights, at, blocked)), [weights, blocked]);
  const name = player === "oop" ? "OOP" : "IP";

  function paintCell(at: number, begins: boolean) {
    const weight = brush / 100;
    range.paint((before) => {
      if (begins) stroke.current = Math.abs(cellWeight(before, at) - weight) < 1e-6 ? 0 : weight;
      return withCell(before, at, stroke.current);
    }, !begins);
  }
  function key(event: KeyboardEvent, at: number) {
    if (event.key === " " || event.key === "Enter") paintCell(at, true);
    else if (event.key === "Delete" || event.key === "Backspace") range.paint((w) => withCell(w, at, 0));
    else if (/^\d$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const weight = event.key === "0" ? 1 : Number(event.key) / 10;
      setBrush(100 * weight);
      range.paint((before) => withCell(before, at, weight));
    } else if (event.key === "z" && (event.ctrlKey || event.metaKey)) range.undo?.();
    else return;
    event.preventDefault();
  }
  const hands = countHands(weights);
  const live = countHands(weights, blocked);

  return (
    <section class="range-editor" aria-label={`Range of ${name}`}>
      <header class="row between">
        <h3>
          {name} <span class="muted small-text">{player === "oop" ? "out of position" : "in position"}</span>
        </h3>
        <span class="num small-text" data-testid={`range-count-${player}`}>
          {combos(hands)} combos, {percent(hands / NUM_COMBOS)} of hands
          <span class="muted"> · {combos(live)} on this board</span>
        </span>
      </header>
      <RangeText player={player} text={text} error={range.error} onText={onText} />
      <HandGrid
        label={`Range of ${name}: space paints, digits set a weight in tenths, 0 is all`}
        looks={looks}
        chosen={cell}
        onChoose={setCell}
        onStroke={paintCell}
        onKey={key}
        testid={`range-${player}`}
      />
      <Brush brush={brush} onBrush={setBrush} />
      <Sets
        onSet={(has) => range.paint((before) => withSet(before, has, brush / 100))}
        onClear={() => range.paint(emptyWeights)}
        onInvert={() => range.paint(inverted)}
        undo={range.undo}
      />
      <CellHands
        cell={cell}
        weights={weights}
        brush={brush / 100}
        blocked={blocked}
        onHand={(hand, weight) => range.paint((before) => withHand(before, hand, weight))}
      />
    </section>
  );
}

function lookOf(weights: Weights, cell: number, blocked: (hand: number) => boolean): CellLook {
  const weight = cellWeight(weights, cell);
  const gone = (CELL_COMBOS[cell] ?? []).every(blocked);
  const text = weight > 0 && weight < 0.9995 ? `${Math.round(100 * weight)}` : undefined;
  return {
    label: `${CELL_NAMES[cell]} ${percent(weight, 0)}${gone ? ", not possible on this board" : ""}`,
    background: weight > 0 ? "var(--range-fill)" : undefined,
    level: weight,
    text,
    class: `range-cell${weight > 0.6 ? " full" : ""}${gone ? " gone" : ""}`,
  };
}

function RangeText(props: {
  player: string;
  text: string;
  error: string | null;
  onText: (text: string) => void;
}) {
  function copy() {
    navigator.clipboard
      .writeText(props.text)
      .then(() => notify("The range is on the clipboard.", "good"))
      .catch(notifyError);
  }
  return (
    <div class="range-text">
      <Field label={<span class="hidden-text">Range as text</span>} error={props.error}>
        <textarea
          rows={3}
          spellcheck={false}
          autocapitalize="off"
          placeholder="66+,A8s+,KQo,QTs+:0.5,AhKh"
          value={props.text}
          data-testid={`text-range-${props.player}`}
          onInput={(event) => props.onText(event.currentTarget.value)}
        />
      </Field>
      <Button small onClick={copy} disabled={props.text === ""} title="Copy the range as text">
        Copy
      </Button>
    </div>
  );
}

function Brush({ brush, onBrush }: { brush: number; onBrush: (percent: number) => void }) {
  return (
    <div class="row brush">
      <label class="row">
        <span class="field-label">Weight</span>
        <input
          type="range"
          min={0}
          max={100}
          step={5}
          value={brush}
          onInput={(event) => onBrush(Number(event.currentTarget.value))}
        />
        <span class="num brush-value">{Math.round(brush)}%</span>
      </label>
      <div class="segmented" role="group" aria-label="Weight to paint with">
        {BRUSHES.map((value) => (
          <Button key={value} small aria-pressed={brush === value} onClick={() => onBrush(value)}>
            {value === 0 ? "erase" : `${value}`}
          </Button>
        ))}
      </div>
    </div>
  );
}

interface SetsProps {
  onSet: (has: (hand: number) => boolean) => void;
  onClear: () => void;
  onInvert: () => void;
  undo: (() => void) | null;
}

function Sets({ onSet, onClear, onInvert, undo }: SetsProps) {
  return (
    <div class="row hand-sets" role="group" aria-label="Paint many hands">
      {HAND_SETS.map((set) => (
        <Button
          key={set.name}
          small
          title={`Paints ${set.title} with the weight`}
          onClick={() => onSet(set.has)}
        >
          {set.name}
        </Button>
      ))}
      <Button small onClick={onInvert} title="Every weight becomes 100% less itself">
        Invert
      </Button>
      <Button small onClick={onClear}>
        Clear
      </Button>
      <Button small onClick={() => undo?.()} disabled={!undo} title="Ctrl+Z in the grid">
        Undo
      </Button>
    </div>
  );
}

interface CellHandsProps {
  cell: number;
  weights: Weights;
  brush: number;
  blocked: (hand: number) => boolean;
  onHand: (hand: number, weight: number) => void;
}

// The 4, 6 or 12 hands of the chosen cell, each on its own.
function CellHands({ cell, weights, brush, blocked, onHand }: CellHandsProps) {
  const hands = CELL_COMBOS[cell] ?? [];
  return (
    <div class="cell-hands" role="group" aria-label={`Hands of ${CELL_NAMES[cell]}`}>
      <strong class="num">{CELL_NAMES[cell]}</strong>
      {hands.map((hand) => {
        const weight = weights[hand] ?? 0;
        const same = Math.abs(weight - brush) < 1e-6;
        return (
          <button
            key={hand}
            type="button"
            class={`hand-button${blocked(hand) ? " gone" : ""}${weight > 0 ? " in" : ""}`}
            title={blocked(hand) ? "Not possible on this board" : `Set to ${same ? 0 : 100 * brush}%`}
            onClick={() => onHand(hand, same ? 0 : brush)}
          >
            <HandText hand={COMBOS[hand]?.text ?? ""} />
            <span class="num">{Math.round(100 * weight)}%</span>
          </button>
        );
      })}
    </div>
  );
}
