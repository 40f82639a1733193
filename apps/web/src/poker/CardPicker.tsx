// All 52 cards, four rows of thirteen: to choose a board, or the card that is dealt.
import { useRef, useState } from "preact/hooks";
import { RANKS_DOWN, SUITS_DOWN } from "./cards";
import type { Paint } from "./colours";
import { CardText, cardWords } from "./parts";

export interface CardLook {
  paint?: Paint;
  text?: string; // below the card
  same?: boolean; // plays the same as another one
  label?: string; // what screen readers and the tooltip add
}

interface Props {
  label: string;
  chosen?: readonly string[];
  disabled?: (card: string) => boolean;
  look?: (card: string) => CardLook | undefined;
  onPick: (card: string) => void;
  testid: string; // of each: TESTID-Qc
}

const MOVES: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export function CardPicker({ label, chosen = [], disabled, look, onPick, testid }: Props) {
  const [place, setPlace] = useState(0);
  const grid = useRef<HTMLDivElement>(null);

  function key(event: KeyboardEvent) {
    const step = MOVES[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const row = Math.min(3, Math.max(0, Math.floor(place / 13) + step[0]));
    const column = Math.min(12, Math.max(0, (place % 13) + step[1]));
    setPlace(row * 13 + column);
    grid.current?.querySelector<HTMLElement>(`[data-place="${row * 13 + column}"]`)?.focus();
  }

  function button(suit: string, rank: string, at: number) {
    const card = rank + suit;
    const off = disabled?.(card) ?? false;
    const shown = look?.(card);
    const on = chosen.includes(card);
    const words = `${cardWords(card)}${shown?.label ? `: ${shown.label}` : ""}`;
    return (
      <button
        key={card}
        type="button"
        class={`pick-card${on ? " chosen" : ""}${shown?.text ? " with-text" : ""}`}
        style={shown?.paint && { background: shown.paint.fill, color: shown.paint.ink }}
        aria-pressed={chosen.length > 0 ? on : undefined}
        aria-disabled={off}
        aria-label={words}
        title={words}
        tabIndex={at === place ? 0 : -1}
        data-place={at}
        data-testid={`${testid}-${card}`}
        onFocus={() => setPlace(at)}
        onClick={() => !off && onPick(card)}
      >
        {shown?.paint ? (
          <span class="card-text">
            <CardText card={card} />
          </span>
        ) : (
          <CardText card={card} />
        )}
        {shown?.text && <span class="pick-text">{shown.text}</span>}
        {shown?.same && <span class="pick-same" aria-hidden="true" />}
      </button>
    );
  }

  return (
    <div ref={grid} class="card-picker" role="group" aria-label={label} onKeyDown={key}>
      {[...SUITS_DOWN].map((suit, row) =>
        [...RANKS_DOWN].map((rank, column) => button(suit, rank, row * 13 + column)),
      )}
    </div>
  );
}
