// The cards on the table, and the chips.
import { useEffect, useState } from "preact/hooks";
import type { SpotForm } from "../types";
import { Button, Field } from "../ui";
import { CardPicker } from "./CardPicker";
import { cardText, parseCards } from "./cards";
import { changeForm } from "./draft";
import { NumberField } from "./NumberField";
import { Board } from "./parts";
import { useUnfinished } from "./unfinished";

function randomCards(count: number, taken: readonly string[]): string[] {
  const cards = [...taken];
  while (cards.length < taken.length + count) {
    const card = cardText(crypto.getRandomValues(new Uint32Array(1))[0]! % 52);
    if (!cards.includes(card)) cards.push(card);
  }
  return cards;
}

function boardError(text: string): string | null {
  const cards = parseCards(text);
  if (!cards)
    return "Write cards such as Td9d6h: a rank (2-9, T, J, Q, K, A) and a suit (c, d, h, s), none twice.";
  if (cards.length < 3) return `${cards.length} of 3 cards: a flop has three, a turn four, a river five.`;
  return cards.length > 5 ? "A board has at most five cards." : null;
}

export function BoardEditor({ form }: { form: SpotForm }) {
  const [text, setText] = useState(form.board);
  useEffect(() => setText(form.board), [form.board]);
  const cards = parseCards(text) ?? [];
  const error = boardError(text);
  useUnfinished(error !== null);

  function set(next: string) {
    setText(next);
    if (boardError(next) === null) changeForm({ board: (parseCards(next) ?? []).join("") });
  }
  function toggle(card: string) {
    if (cards.includes(card)) set(cards.filter((other) => other !== card).join(""));
    else if (cards.length < 5) set([...cards, card].join(""));
  }
  return (
    <section class="panel board-editor" aria-label="Board and chips">
      <div class="stack">
        <div class="row between">
          <h2>Board</h2>
          <Board cards={cards} />
        </div>
        <CardPicker
          label="Cards of the board"
          chosen={cards}
          disabled={(card) => cards.length >= 5 && !cards.includes(card)}
          onPick={toggle}
          testid="board"
        />
      </div>
      <div class="stack board-fields">
        <Field label="Cards" error={error} help={["Flop", "Turn", "River"][cards.length - 3]}>
          <input
            value={text}
            spellcheck={false}
            autocapitalize="off"
            data-testid="board-text"
            onInput={(event) => set(event.currentTarget.value)}
          />
        </Field>
        <div class="row">
          <Button small onClick={() => set(randomCards(3, []).join(""))} testid="random-flop">
            Random flop
          </Button>
          <Button
            small
            disabled={cards.length < 3 || cards.length > 4}
            onClick={() => set(randomCards(1, cards).join(""))}
          >
            Random next card
          </Button>
          <Button small disabled={cards.length === 0} onClick={() => set("")}>
            Clear
          </Button>
        </div>
        <Chips form={form} />
      </div>
    </section>
  );
}

function Chips({ form }: { form: SpotForm }) {
  const [oop, ip] = form.stack;
  const [apart, setApart] = useState(oop !== ip);
  useEffect(() => {
    if (oop !== ip) setApart(true);
  }, [oop, ip]);
  function together(on: boolean) {
    setApart(!on);
    if (on) changeForm({ stack: [oop, oop] });
  }
  return (
    <>
      <div class="chips-fields">
        <NumberField
          label="Pot"
          unit="chips"
          value={form.pot}
          least={1}
          onValue={(pot) => changeForm({ pot })}
          testid="pot"
        />
        <NumberField
          label={apart ? "Stack of OOP" : "Stacks behind"}
          unit="chips"
          value={oop}
          least={1}
          onValue={(chips) => changeForm({ stack: [chips, apart ? ip : chips] })}
          testid="stack"
        />
        {apart && (
          <NumberField
            label="Stack of IP"
            unit="chips"
            value={ip}
            least={1}
            onValue={(chips) => changeForm({ stack: [oop, chips] })}
            testid="stack-ip"
          />
        )}
      </div>
      <label class="check small-text">
        <input type="checkbox" checked={!apart} onChange={(event) => together(event.currentTarget.checked)} />
        Same stack for both
      </label>
      <p class="field-help">
        Chips are whole numbers: with blinds of 0.5 and 1 count in hundredths. Stack to pot ratio{" "}
        {(Math.min(oop, ip) / form.pot).toFixed(1)}.
      </p>
    </>
  );
}
