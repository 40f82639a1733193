import { useEffect, useState } from "preact/hooks";
import { general, percent } from "../format";
import { actionColours } from "../lab/bars";
import { titleOf } from "../poker/names";
import { navigate } from "../shell/router";
import type { Table } from "../types";
import { Button, ErrorNotice, Notice, Spinner } from "../ui";
import { CardBack, CardFace } from "./CardFace";
import { type Decision, type TablePlay, useTable } from "./useTable";

export function withSign(chips: number): string {
  if (Math.abs(chips) < 5e-4) return "0";
  return `${chips > 0 ? "+" : ""}${general(chips, 4)}`;
}

export function TableView({ id }: { id: number }) {
  const play = useTable(id);
  const [hints, setHints] = useState(false);
  useKeys(play, () => setHints((before) => !before));
  if (play.gone && !play.table) {
    return (
      <div class="page">
        <Notice kind="warn">
          <span>This table is gone: the server was started anew. Sit down at another one.</span>
          <Button small onClick={() => navigate("#/play")}>
            New table
          </Button>
        </Notice>
      </div>
    );
  }
  if (!play.table) {
    return (
      <div class="page">
        {play.error ? <ErrorNotice error={play.error} retry={play.retry} /> : <Spinner />}
      </div>
    );
  }
  return (
    <div class="page play">
      <TableHead table={play.table} lost={play.lost} hints={hints} setHints={setHints} />
      {play.error && <ErrorNotice error={play.error} retry={play.retry} />}
      <div class="play-main">
        <section class="felt" aria-label="Table">
          <OpponentSeat table={play.table} />
          <Middle table={play.table} />
          <OwnSeat table={play.table} />
          {play.table.finished ? <Result play={play} /> : <Actions play={play} hints={hints} />}
        </section>
        <div class="play-side">
          <Log table={play.table} />
          {play.table.finished && <Review decisions={play.decisions} />}
        </div>
      </div>
      <p class="muted small-text keys-line">
        Keys: <kbd>1</kbd> to <kbd>9</kbd> act, <kbd>n</kbd> or <kbd>Enter</kbd> next hand, <kbd>h</kbd>{" "}
        hints.
      </p>
    </div>
  );
}

function useKeys(play: TablePlay, toggleHints: () => void) {
  useEffect(() => {
    function key(event: KeyboardEvent) {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (target.closest("input:not([type='checkbox']), select, textarea, dialog")) return;
      const number = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
      if (number > 0 && play.table && !play.table.finished) play.act(number - 1);
      // Enter on a button or a link is that one's.
      const enter = event.key === "Enter" && !target.closest("button, a, summary");
      if ((event.key === "n" || enter) && play.table?.finished) play.next();
      if (event.key === "h") toggleHints();
    }
    document.addEventListener("keydown", key);
    return () => document.removeEventListener("keydown", key);
  });
}

function signClass(chips: number): string {
  return chips > 0 ? "good" : chips < 0 ? "bad" : "";
}

// A solution by its name, without folders and ending.
function gameName(table: Table): string {
  return table.kind === "game" ? table.game : titleOf(table.game).replace(/^.*\//, "");
}

interface HeadProps {
  table: Table;
  lost: number;
  hints: boolean;
  setHints: (hints: boolean) => void;
}

function TableHead({ table, lost, hints, setHints }: HeadProps) {
  const each = table.hands > 0 ? table.total / table.hands : 0;
  return (
    <div class="play-head">
      <div>
        <h1>{gameName(table)}</h1>
        <p class="muted small-text">Opponent: {table.opponent}</p>
      </div>
      <dl class="play-score">
        <div>
          <dt>Total</dt>
          <dd class={`num ${signClass(table.total)}`} data-testid="play-total">
            {withSign(table.total)}
          </dd>
        </div>
        <div>
          <dt>Hands</dt>
          <dd class="num" data-testid="play-hands">
            {table.hands}
          </dd>
        </div>
        <div>
          <dt>Per hand</dt>
          <dd class="num">{table.hands > 0 ? withSign(each) : "–"}</dd>
        </div>
        <div title="What your actions gave away against the best ones, by the solution's values">
          <dt>Given up</dt>
          <dd class="num">{withSign(-lost)}</dd>
        </div>
      </dl>
      <div class="row">
        <label class="check">
          <input
            type="checkbox"
            role="switch"
            data-testid="play-hints"
            checked={hints}
            onChange={(event) => setHints(event.currentTarget.checked)}
          />
          Hints
        </label>
        <Button small onClick={() => navigate("#/play")}>
          Leave
        </Button>
      </div>
    </div>
  );
}

interface SeatNameProps {
  name: string;
  first: boolean;
  stack?: number;
  put?: number;
}

function SeatName({ name, first, stack, put }: SeatNameProps) {
  return (
    <div class="seat-name">
      <strong>{name}</strong>
      <span class="chip">{first ? "first to act" : "second to act"}</span>
      {stack !== undefined && <span class="small-text num">{general(stack, 6)} chips behind</span>}
      {put !== undefined && put > 0 && <span class="small-text num">{general(put, 6)} put in</span>}
    </div>
  );
}

function OpponentSeat({ table }: { table: Table }) {
  const hidden = table.kind === "spot" ? 2 : Math.max(1, table.cards.length);
  return (
    <div class="seat" data-testid="play-opponent">
      <SeatName name="Opponent" first={table.seat === 1} stack={table.stacks?.[1]} put={table.put?.[1]} />
      <div class="card-row">
        {table.opponent_cards
          ? table.opponent_cards.map((card, at) => <CardFace key={at} card={card} />)
          : Array.from({ length: hidden }, (_, at) => <CardBack key={at} />)}
      </div>
    </div>
  );
}

function Middle({ table }: { table: Table }) {
  return (
    <div class="felt-middle">
      <div class="card-row" data-testid="play-board">
        {table.board.map((card, at) => (
          <CardFace key={at} card={card} />
        ))}
      </div>
      {table.pot !== null && (
        <span class="table-pot num" data-testid="play-pot">
          Pot {general(table.pot, 6)}
        </span>
      )}
    </div>
  );
}

function OwnSeat({ table }: { table: Table }) {
  return (
    <div class="seat own">
      <div class="card-row" data-testid="play-cards">
        {table.cards.map((card, at) => (
          <CardFace key={at} card={card} />
        ))}
        {table.cards.length === 0 && <span class="muted small-text">Nothing that only you know.</span>}
      </div>
      <SeatName name="You" first={table.seat === 0} stack={table.stacks?.[0]} put={table.put?.[0]} />
    </div>
  );
}

function Actions({ play, hints }: { play: TablePlay; hints: boolean }) {
  const table = play.table;
  if (!table) return null;
  const colours = actionColours(table.actions.map((action) => action.text));
  return (
    <div class="play-actions" role="group" aria-label="Your action">
      {table.actions.map((action, at) => (
        <button
          key={`${table.hand} ${table.log.length} ${at}`}
          type="button"
          class="action-button"
          data-testid={`play-action-${at}`}
          disabled={play.busy}
          style={{
            background: `var(--action-${colours[at]})`,
            color: `var(--on-action-${colours[at]})`,
          }}
          onClick={() => play.act(at)}
        >
          <span class="action-main">
            {at < 9 && <kbd>{at + 1}</kbd>} {action.text}
          </span>
          {hints && (
            <span class="action-hint num" data-testid={`play-hint-${at}`}>
              {percent(action.probability)}
              {action.value !== null && `, ${withSign(action.value)}`}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

function Result({ play }: { play: TablePlay }) {
  const payoff = play.table?.payoff ?? 0;
  const words = payoff > 0 ? "You win" : payoff < 0 ? "You lose" : "Nobody wins";
  return (
    <div class="play-result" role="status" data-testid="play-result">
      <strong class={signClass(payoff)}>
        {words}
        {payoff !== 0 && ` ${general(Math.abs(payoff), 6)} ${Math.abs(payoff) === 1 ? "chip" : "chips"}`}
      </strong>
      <Button kind="primary" testid="play-next" disabled={play.busy} onClick={play.next}>
        Next hand
      </Button>
    </div>
  );
}

const WHO = { you: "You", opponent: "Opponent", chance: "Dealer" };

function Log({ table }: { table: Table }) {
  return (
    <section class="panel">
      <h2>Hand {table.hand}</h2>
      {table.log.length === 0 && <p class="muted">Nothing has happened yet.</p>}
      <ol class="play-log" aria-live="polite" data-testid="play-log">
        {table.log.map((line, at) => (
          <li key={at} class={line.who}>
            <strong>{WHO[line.who]}:</strong> {line.text}
          </li>
        ))}
      </ol>
    </section>
  );
}

// What the solution would have done at your decisions.
function Review({ decisions }: { decisions: Decision[] }) {
  if (decisions.length === 0) return null;
  return (
    <section class="panel" data-testid="play-review">
      <h2>Your decisions</h2>
      {decisions.map((decision, at) => (
        <DecisionRow key={at} decision={decision} />
      ))}
    </section>
  );
}

function verdict(decision: Decision): { text: string; kind: string } {
  const share = decision.actions[decision.chosen]?.probability ?? 0;
  if (share < 0.005) return { text: "the solution never does this", kind: "bad" };
  if (share < 0.1) return { text: "the solution rarely does this", kind: "warn" };
  return { text: "as the solution plays", kind: "good" };
}

function DecisionRow({ decision }: { decision: Decision }) {
  const told = verdict(decision);
  return (
    <div class="decision">
      <div class="row">
        <strong>{decision.actions[decision.chosen]?.text}</strong>
        <span class={`chip ${told.kind}`}>{told.text}</span>
        {decision.lost !== null && decision.lost > 5e-4 && (
          <span class={`small-text num ${told.kind === "good" ? "muted" : "bad"}`}>
            {general(decision.lost, 3)} chips below the best
          </span>
        )}
      </div>
      <ul class="decision-actions small-text num">
        {decision.actions.map((action, at) => (
          <li key={action.text} class={at === decision.chosen ? "taken" : ""}>
            <span>{action.text}</span>
            <span>{percent(action.probability)}</span>
            <span class="muted">{action.value === null ? "" : withSign(action.value)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
