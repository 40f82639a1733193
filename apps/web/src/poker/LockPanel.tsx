// Fixes the strategy of a node and solves the spot again around it.
import { useEffect, useState } from "preact/hooks";
import { ApiError, get, post } from "../api";
import { percent } from "../format";
import { noteJob } from "../shell/jobs";
import { navigate } from "../shell/router";
import type { Files, Job, LockForm, NodeReply, Solution, SpotForm, SpotRequest } from "../types";
import { Button, Field, notifyError } from "../ui";
import { actionPaints } from "./colours";
import { draft, newDraft } from "./draft";
import { mixText, pure, withShare } from "./mix";
import { stemOf } from "./names";
import { Segmented, Swatch } from "./parts";
import { spotText } from "./spot_text";
import type { LockEditor, Part } from "./useLock";

interface Props {
  node: NodeReply;
  solution: Solution;
  lock: LockEditor;
  onClose: () => void;
}

const NAMES = ["OOP", "IP"];
const TARGETS = [0.1, 0.2, 0.5, 1];

// The finest target that the solution itself reached.
export function targetOf(solution: Solution): string {
  return `${TARGETS.find((target) => target >= solution.exploitability_percent) ?? 1}%`;
}

function withLock(spot: SpotForm, node: string, parts: Part[]): SpotForm {
  const others = spot.locks.filter((lock) => lock.node !== node);
  const locks: LockForm[] = parts.length > 0 ? [...others, { node, parts }] : others;
  return { ...spot, locks };
}

async function freeName(base: string): Promise<string> {
  const { files } = await get<Files>("files");
  const taken = new Set(files.map((entry) => entry.file));
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(`${name}.h5`)) return name;
  }
}

export function LockPanel({ node, solution, lock, onClose }: Props) {
  const [name, setName] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const stem = stemOf(solution.file);
  useEffect(() => {
    freeName(stem.endsWith("-locked") ? stem : `${stem}-locked`).then(setName, notifyError);
  }, [stem]);
  const parts = lock.whole();
  const algorithm = solution.algorithm;

  async function solve(spot: SpotForm) {
    setBusy(true);
    setError(null);
    const storage = solution.storage as SpotRequest["storage"];
    const request: SpotRequest = {
      text: spotText(spot),
      name: name.trim(),
      target: targetOf(solution),
      storage,
      algorithm,
    };
    try {
      const job = await post<Job>("spot/solve", request);
      noteJob(job);
      navigate(`#/job?id=${job.id}`);
    } catch (problem) {
      setError(problem instanceof ApiError ? problem.message : String(problem));
    } finally {
      setBusy(false);
    }
  }
  function edit() {
    const storage = solution.storage as SpotRequest["storage"];
    const settings = { target: targetOf(solution), algorithm, storage };
    draft.set(newDraft(withLock(solution.spot, node.node, parts), name, settings));
    navigate("#/spot");
  }
  return (
    <section class="panel lock-panel" aria-label="Lock this node">
      <div class="row between">
        <h2>Lock {NAMES[node.player]} here</h2>
        <Button small kind="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <p class="small-text muted">
        What {NAMES[node.player]} does at <code>{node.node || "the first decision"}</code> is fixed;
        everything else is solved again around it.
      </p>
      <Parts lock={lock} />
      <Scope lock={lock} name={NAMES[node.player] ?? ""} />
      <Sliders node={node} lock={lock} />
      <Field label="Name of the new solution" unit=".h5" error={error}>
        <input
          value={name}
          spellcheck={false}
          data-testid="lock-name"
          onInput={(event: { currentTarget: HTMLInputElement }) => setName(event.currentTarget.value)}
        />
      </Field>
      <div class="row">
        <Button
          kind="primary"
          disabled={busy || parts.length === 0 || name.trim() === "" || lock.range.error !== null}
          testid="lock-save"
          onClick={() => solve(withLock(solution.spot, node.node, parts))}
        >
          Solve with this lock
        </Button>
        <Button disabled={parts.length === 0} onClick={edit} testid="lock-edit">
          Add to the spot and edit
        </Button>
        {node.locked && (
          <Button disabled={busy} onClick={() => solve(withLock(solution.spot, node.node, []))}>
            Solve without the lock here
          </Button>
        )}
      </div>
    </section>
  );
}

function partText(part: Part): string {
  return `${part.hands || "all hands"}: ${mixText(part.strategy, percent)}`;
}

const MOST_SHOWN = 6;

// What was fixed before: by the spot, or a moment ago.
function Parts({ lock }: { lock: LockEditor }) {
  if (lock.parts.length === 0) return null;
  const first = Math.max(0, lock.parts.length - MOST_SHOWN);
  return (
    <ul class="lock-list">
      {first > 0 && <li class="small-text muted">{first} earlier ones</li>}
      {lock.parts.slice(first).map((part, at) => (
        <li key={first + at}>
          <span class="small-text part-text">{partText(part)}</span>
          <Button small onClick={() => lock.setParts(lock.parts.filter((_, other) => other !== first + at))}>
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Scope({ lock, name }: { lock: LockEditor; name: string }) {
  const chosen = lock.scope === "chosen";
  return (
    <div class="stack">
      <div class="row">
        <span class="field-label">Hands</span>
        <Segmented
          label="For which hands"
          options={[
            { key: "all", text: `All of ${name}` },
            { key: "chosen", text: "Chosen in the grid" },
          ]}
          chosen={lock.scope}
          onChoose={lock.setScope}
          testid="lock-scope"
        />
      </div>
      {chosen && (
        <>
          <Field
            label={<span class="hidden-text">Chosen hands</span>}
            error={lock.range.error}
            help="Click cells of the grid, or write hands: QQ+,AKs,AhKh"
          >
            <input
              value={lock.text}
              spellcheck={false}
              data-testid="lock-hands"
              onInput={(event: { currentTarget: HTMLInputElement }) =>
                lock.setText(event.currentTarget.value)
              }
            />
          </Field>
          <div class="row">
            <span class="field-label">Other hands</span>
            <Segmented
              label="What the other hands do"
              options={[
                { key: "free", text: "are solved again" },
                { key: "solved", text: "stay as solved" },
              ]}
              chosen={lock.others}
              onChoose={lock.setOthers}
              testid="lock-others"
            />
          </div>
        </>
      )}
    </div>
  );
}

function Sliders({ node, lock }: { node: NodeReply; lock: LockEditor }) {
  const paints = actionPaints(node.actions);
  const current = lock.current();
  return (
    <div class="stack">
      {node.actions.map((action, a) => {
        const share = lock.mix[a] ?? 0;
        return (
          <div key={action.text} class="slider-line">
            <Swatch paint={paints[a]} />
            <label for={`lock-slider-${a}`}>{action.text}</label>
            <input
              id={`lock-slider-${a}`}
              type="range"
              min={0}
              max={100}
              step={1}
              value={Math.round(100 * share)}
              data-testid={`lock-share-${a}`}
              onInput={(event) =>
                lock.setMix(withShare(lock.mix, a, Number(event.currentTarget.value) / 100))
              }
            />
            <span class="num">{percent(share)}</span>
            <Button
              small
              onClick={() => lock.setMix(pure(node.actions.length, a))}
              testid={`lock-always-${a}`}
            >
              always
            </Button>
          </div>
        );
      })}
      <div class="row">
        <Button small onClick={lock.fromSolution}>
          As solved
        </Button>
        {lock.scope === "chosen" && (
          <Button
            small
            disabled={!current}
            onClick={() => {
              if (!current) return;
              lock.setParts([...lock.parts, current]);
              lock.setText("");
            }}
          >
            Keep this, choose other hands
          </Button>
        )}
      </div>
    </div>
  );
}
