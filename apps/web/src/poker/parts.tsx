// Small things that all hold'em pages share.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SUIT_NAME, SUIT_SIGN } from "./cards";
import type { Paint } from "./colours";

const RANK_NAME: Record<string, string> = { T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" };

export function cardWords(card: string): string {
  const rank = card.charAt(0);
  return `${RANK_NAME[rank] ?? rank} of ${SUIT_NAME[card.charAt(1)] ?? ""}`;
}

// A card as its rank and the suit's sign.
export function CardText({ card }: { card: string }) {
  const suit = card.charAt(1);
  return (
    <span class={`card-text suit-${suit}`}>
      {card.charAt(0)}
      <span class="suit-sign">{SUIT_SIGN[suit]}</span>
    </span>
  );
}

export function HandText({ hand }: { hand: string }) {
  return (
    <span class="hand-text">
      <CardText card={hand.slice(0, 2)} />
      <CardText card={hand.slice(2)} />
      <span class="hidden-text">{hand}</span>
    </span>
  );
}

// The cards on the table.
export function Board({ cards, testid }: { cards: readonly string[]; testid?: string }) {
  return (
    <span class="board" role="img" aria-label={`Board ${cards.join(" ")}`} data-testid={testid}>
      {cards.map((card, place) => (
        <span key={card} class={`board-card${place === 3 || place === 4 ? " later" : ""}`}>
          <CardText card={card} />
        </span>
      ))}
    </span>
  );
}

export function Swatch({ paint }: { paint: Paint | undefined }) {
  return <span class="swatch" style={{ background: paint?.fill }} aria-hidden="true" />;
}

interface SegmentedProps<Key extends string> {
  label: string;
  options: { key: Key; text: ComponentChildren; disabled?: boolean; title?: string }[];
  chosen: Key;
  onChoose: (key: Key) => void;
  testid?: string; // of each: TESTID-KEY
}

// One of a few, as buttons side by side.
export function Segmented<Key extends string>(props: SegmentedProps<Key>) {
  return (
    <div class="segmented" role="group" aria-label={props.label}>
      {props.options.map((option) => (
        <button
          key={option.key}
          type="button"
          class="button small"
          aria-pressed={option.key === props.chosen}
          disabled={option.disabled}
          title={option.title}
          data-testid={props.testid && `${props.testid}-${option.key}`}
          onClick={() => props.onChoose(option.key)}
        >
          {option.text}
        </button>
      ))}
    </div>
  );
}

// The value as it was `delay` milliseconds ago, once it has rested so long.
export function useRested<T>(value: T, delay: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(() => value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return rested;
}

export function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
