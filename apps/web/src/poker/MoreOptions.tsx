// What most spots leave as it is: all-in rules, rake, lines taken out, fixed strategies.
import { percent } from "../format";
import type { LockForm, SpotForm } from "../types";
import { Button, Field } from "../ui";
import { changeForm } from "./draft";
import { NumberField } from "./NumberField";

function used(form: SpotForm): string {
  const { tree, rake, locks } = form;
  const parts = [
    tree.add_allin > 0 && "all-in added",
    tree.force_allin > 0 && "all-in forced",
    tree.merge > 0 && "sizes merged",
    tree.min_bet !== 1 && `smallest bet ${tree.min_bet}`,
    tree.remove.length > 0 && `${tree.remove.length} removed`,
    !tree.symmetry && "no symmetry",
    rake.percent > 0 && `rake ${rake.percent}%`,
    locks.length > 0 && `${locks.length} locked`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : "nothing set";
}

// Shares of the pot are typed as percentages.
function PotShare(props: {
  label: string;
  help: string;
  value: number;
  onValue: (share: number) => void;
  testid: string;
}) {
  return (
    <NumberField
      label={props.label}
      unit="% of pot"
      help={props.help}
      value={Number((100 * props.value).toPrecision(12))}
      least={0}
      most={1000}
      whole={false}
      onValue={(value) => props.onValue(value / 100)}
      testid={props.testid}
    />
  );
}

export function MoreOptions({ form }: { form: SpotForm }) {
  const tree = (change: Partial<SpotForm["tree"]>) => changeForm({ tree: { ...form.tree, ...change } });
  const rake = (change: Partial<SpotForm["rake"]>) => changeForm({ rake: { ...form.rake, ...change } });
  return (
    <details class="panel more-options">
      <summary>
        All-in rules, rake, locks <span class="muted small-text">({used(form)})</span>
      </summary>
      <div class="fields">
        <PotShare
          label="Add all-in"
          help="All-in is a size where it adds at most this to a call. 0: off"
          value={form.tree.add_allin}
          onValue={(add_allin) => tree({ add_allin })}
          testid="add-allin"
        />
        <PotShare
          label="Force all-in"
          help="A bet that leaves at most this behind once called is all-in. 0: off"
          value={form.tree.force_allin}
          onValue={(force_allin) => tree({ force_allin })}
          testid="force-allin"
        />
        <PotShare
          label="Merge sizes"
          help="Of two sizes whose pots differ by at most this the larger stays. 0: off"
          value={form.tree.merge}
          onValue={(merge) => tree({ merge })}
          testid="merge"
        />
        <NumberField
          label="Smallest bet"
          unit="chips"
          value={form.tree.min_bet}
          least={1}
          onValue={(min_bet) => tree({ min_bet })}
          testid="min-bet"
        />
        <NumberField
          label="Rake"
          unit="%"
          help="Of every pot at its end; what nobody called is returned first"
          value={form.rake.percent}
          least={0}
          most={100}
          whole={false}
          onValue={(value) => rake({ percent: value })}
          testid="rake"
        />
        <NumberField
          label="Rake at most"
          unit="chips"
          help="0: no limit"
          value={form.rake.cap}
          least={0}
          onValue={(cap) => rake({ cap })}
          testid="rake-cap"
        />
      </div>
      <Removed lines={form.tree.remove} onLines={(remove) => tree({ remove })} />
      <label class="check">
        <input
          type="checkbox"
          checked={form.tree.symmetry}
          onChange={(event) => tree({ symmetry: event.currentTarget.checked })}
        />
        Solve suits that play the same once (same result, less memory)
      </label>
      <Locks locks={form.locks} onLocks={(locks) => changeForm({ locks })} />
    </details>
  );
}

function Removed({ lines, onLines }: { lines: string[]; onLines: (lines: string[]) => void }) {
  const text = lines.join("\n");
  return (
    <Field
      label="Removed lines"
      help="One a line; the last action of each is taken out: bet 100/allin 900, or check/check/deal/bet 66"
    >
      <textarea
        rows={Math.min(6, Math.max(2, lines.length + 1))}
        value={text}
        spellcheck={false}
        data-testid="removed"
        onChange={(event: { currentTarget: HTMLTextAreaElement }) =>
          onLines(
            event.currentTarget.value
              .split("\n")
              .map((line) => line.trim())
              .filter(Boolean),
          )
        }
      />
    </Field>
  );
}

function partWords(part: LockForm["parts"][number]): string {
  const mix = Object.entries(part.strategy).filter(([, share]) => share > 0);
  return mix.map(([action, share]) => `${action} ${percent(share)}`).join(", ");
}

// What is shown of a lock with a part for every hand.
const MOST_PARTS = 4;

function Locks({ locks, onLocks }: { locks: LockForm[]; onLocks: (locks: LockForm[]) => void }) {
  return (
    <div class="stack">
      <span class="field-label">Locked nodes</span>
      {locks.length === 0 ? (
        <p class="field-help">None. Browse a solution and choose “Lock this node” to fix a strategy.</p>
      ) : (
        <ul class="lock-list">
          {locks.map((lock, place) => (
            <li key={lock.node}>
              <div>
                <code>{lock.node || "the first decision"}</code>
                {lock.parts.slice(0, MOST_PARTS).map((part, at) => (
                  <p key={at} class="small-text muted">
                    {part.hands || "all hands"}: {partWords(part)}
                  </p>
                ))}
                {lock.parts.length > MOST_PARTS && (
                  <p class="small-text muted">and {lock.parts.length - MOST_PARTS} more</p>
                )}
              </div>
              <Button
                small
                aria-label={`Remove the lock at ${lock.node || "the first decision"}`}
                onClick={() => onLocks(locks.filter((_, other) => other !== place))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
