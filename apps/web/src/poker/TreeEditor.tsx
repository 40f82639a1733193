// Which bets the players may make.
import { useEffect, useState } from "preact/hooks";
import type { SpotForm, StreetForm } from "../types";
import { Button } from "../ui";
import { changeForm } from "./draft";
import { NumberField } from "./NumberField";
import {
  levelsOf,
  samePlace,
  sizesAt,
  toggledSize,
  withCopiedDown,
  withDonk,
  withLevels,
  withSamePlayers,
  withSizes,
  withStreet,
  type Player,
  type SizeKind,
  type SizePlace,
} from "./sizes";
import { firstStreet, NO_LIMIT, sameSizes, STREETS } from "./spot_text";

const BET_CHIPS = [
  "25%",
  "33%",
  "50%",
  "66%",
  "75%",
  "100%",
  "125%",
  "150%",
  "200%",
  "e",
  "2e",
  "3e",
  "min",
  "a",
];
const RAISE_CHIPS = ["33%", "50%", "60%", "75%", "100%", "2.5x", "3x", "4x", "min", "a"];
const CHIP_WORDS: Record<string, string> = {
  e: "equal parts of the pot, all-in on the river",
  "2e": "equal parts, all-in in two bets",
  "3e": "equal parts, all-in in three bets",
  min: "the least that is allowed",
  a: "all-in",
};

export function TreeEditor({ form }: { form: SpotForm }) {
  const first = firstStreet(form.board);
  const played = form.streets.slice(first).filter((street): street is StreetForm => street !== null);
  const [together, setTogether] = useState(() => played.every(sameSizes));
  const [active, setActive] = useState<SizePlace | null>(null);
  // A spot that was opened may have sizes of one player only.
  useEffect(() => {
    if (!played.every(sameSizes)) setTogether(false);
  }, [form.streets]);

  function join(on: boolean) {
    setTogether(on);
    if (on) changeForm({ streets: withSamePlayers(form) });
  }
  function set(place: SizePlace, text: string) {
    changeForm({ streets: withSizes(form, place, text, together) });
  }
  const shared = { form, together, active, onActive: setActive, onSizes: set };
  return (
    <section class="panel tree-editor" aria-label="Bet sizes">
      <div class="row between">
        <h2>Bets</h2>
        <label class="check">
          <input type="checkbox" checked={together} onChange={(event) => join(event.currentTarget.checked)} />
          Same for both players
        </label>
      </div>
      <Palette form={form} active={active} onSizes={set} together={together} />
      <div class="streets">
        {STREETS.map((name, s) => {
          const street = form.streets[s];
          return s >= first && street ? (
            <StreetEditor key={name} name={name} at={s} street={street} first={s === first} {...shared} />
          ) : null;
        })}
      </div>
      <details>
        <summary>How sizes are written</summary>
        <p class="field-help">
          75% of the pot (a raise: of the pot after calling); 100 chips (a raise: added to the call); 2.5x the
          bet that is raised; e for equal parts of the pot that are all-in on the river, 2e on the next
          street; min the least that the rules allow; any every number of chips; a all-in. Nothing: no bet at
          all. Check, call and fold are always there.
        </p>
      </details>
    </section>
  );
}

function placeWords(place: SizePlace, together: boolean): string {
  const who = together && place.kind !== "donk" ? "both players" : place.player.toUpperCase();
  const what = place.kind === "raise" && place.level > 0 ? `raise ${place.level + 1}` : place.kind;
  return `${STREETS[place.street]}, ${who}, ${what}`;
}

interface PaletteProps {
  form: SpotForm;
  active: SizePlace | null;
  together: boolean;
  onSizes: (place: SizePlace, text: string) => void;
}

// Sizes to add to, or take from, the field that was touched last.
function Palette({ form, active, together, onSizes }: PaletteProps) {
  const chips = active?.kind === "raise" ? RAISE_CHIPS : BET_CHIPS;
  const text = active ? sizesAt(form, active) : "";
  const there = text.split(",").map((size) => size.trim());
  return (
    <div class="palette">
      <span class="small-text muted" aria-live="polite">
        {active ? `Sizes of ${placeWords(active, together)}:` : "Choose a field below, then add sizes:"}
      </span>
      <div class="row">
        {chips.map((size) => (
          <Button
            key={size}
            small
            disabled={!active}
            aria-pressed={there.includes(size)}
            title={CHIP_WORDS[size]}
            onClick={() => active && onSizes(active, toggledSize(text, size))}
          >
            {size}
          </Button>
        ))}
      </div>
    </div>
  );
}

interface StreetProps extends PaletteProps {
  name: string;
  at: number;
  street: StreetForm;
  first: boolean; // the board's: nobody has bet before, so there is no donk bet
  onActive: (place: SizePlace) => void;
}

function StreetEditor(props: StreetProps) {
  const { form, name, at, street, first, together } = props;
  const players: Player[] = together ? ["oop"] : ["oop", "ip"];
  const levels = levelsOf(street);
  const field = (kind: SizeKind, level: number, player: Player) => (
    <SizeField key={player} {...props} place={{ street: at, player, kind, level }} />
  );
  const raiseName = (level: number) =>
    levels === 1 ? "Raise" : `Raise ${level + 1}${level + 1 === levels ? "+" : ""}`;
  return (
    <div class="street">
      <header class="row between">
        <h3 class="street-name">{name}</h3>
        {at < 2 && (
          <Button small kind="quiet" onClick={() => changeForm({ streets: withCopiedDown(form, at) })}>
            Copy to later streets
          </Button>
        )}
      </header>
      <div class={`size-rows${together ? " together" : ""}`}>
        <span />
        {players.map((player) => (
          <span key={player} class="small-text muted">
            {together ? "both players" : player.toUpperCase()}
          </span>
        ))}
        <span class="size-name">Bet</span>
        {players.map((player) => field("bet", 0, player))}
        {!first && <DonkRow {...props} donk={street.oop.donk} fields={together ? 1 : 2} />}
        {Array.from({ length: levels }, (_, level) => [
          <span key={level} class="size-name">
            {raiseName(level)}
          </span>,
          ...players.map((player) => field("raise", level, player)),
        ])}
      </div>
      <div class="row small-text">
        <Button small kind="quiet" onClick={() => changeForm({ streets: withLevels(form, at, levels + 1) })}>
          More raise levels
        </Button>
        {levels > 1 && (
          <Button
            small
            kind="quiet"
            onClick={() => changeForm({ streets: withLevels(form, at, levels - 1) })}
          >
            Fewer
          </Button>
        )}
        <MostRaises form={form} at={at} street={street} />
      </div>
    </div>
  );
}

// OOP betting into who bet last on the street before.
function DonkRow(props: StreetProps & { donk: string | null; fields: number }) {
  const { form, at, donk, fields } = props;
  const own = donk !== null;
  return (
    <>
      <label
        class="size-name check"
        title="A bet of OOP into the player who bet or raised last on the street before"
      >
        <input
          type="checkbox"
          checked={own}
          aria-label={`Own donk sizes on the ${props.name}`}
          onChange={(event) =>
            changeForm({ streets: withDonk(form, at, event.currentTarget.checked ? "" : null) })
          }
        />
        Donk
      </label>
      {own ? (
        <SizeField {...props} place={{ street: at, player: "oop", kind: "donk", level: 0 }} />
      ) : (
        <span class="muted small-text size-note">as bet</span>
      )}
      {fields === 2 && <span />}
    </>
  );
}

function SizeField(props: StreetProps & { place: SizePlace }) {
  const { form, place, active, together } = props;
  const level = place.level > 0 ? String(place.level + 1) : "";
  const testid = `size-${STREETS[place.street]}-${place.player}-${place.kind}${level}`;
  return (
    <input
      class={samePlace(active, place) ? "active-size" : ""}
      value={sizesAt(form, place)}
      placeholder="none"
      spellcheck={false}
      autocapitalize="off"
      aria-label={`Sizes of ${placeWords(place, together)}`}
      data-testid={testid}
      onFocus={() => props.onActive(place)}
      onInput={(event) => props.onSizes(place, event.currentTarget.value)}
    />
  );
}

function MostRaises({ form, at, street }: { form: SpotForm; at: number; street: StreetForm }) {
  const limited = street.max_raises !== NO_LIMIT;
  const set = (most: number) =>
    changeForm({ streets: withStreet(form, at, { ...street, max_raises: most }) });
  return (
    <span class="row">
      <label class="check">
        <input
          type="checkbox"
          checked={limited}
          onChange={(event) => set(event.currentTarget.checked ? 3 : NO_LIMIT)}
        />
        At most
      </label>
      {limited && (
        <span class="tiny-field">
          <NumberField
            label={<span class="hidden-text">Bets and raises at most</span>}
            value={street.max_raises}
            least={0}
            most={254}
            onValue={set}
          />
        </span>
      )}
      <span class={limited ? "" : "muted"}>bets and raises</span>
    </span>
  );
}
