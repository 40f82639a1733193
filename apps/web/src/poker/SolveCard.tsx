// How large the spot is, how well it shall be solved, and the button.
import { useState } from "preact/hooks";
import { ApiError, post } from "../api";
import { bytes, grouped } from "../format";
import { noteJob } from "../shell/jobs";
import { navigate } from "../shell/router";
import { serverState } from "../shell/server";
import { useStore } from "../shell/store";
import type { Job, SpotReply, SpotRequest } from "../types";
import { Button, Confirm, Field, Notice, notifyError, Spinner } from "../ui";
import { changeDraft, draftText, type Draft } from "./draft";
import { unfinished } from "./unfinished";
import type { Check } from "./useCheck";

const TARGETS = [
  { value: "1%", text: "1% of the pot", note: "quick" },
  { value: "0.5%", text: "0.5% of the pot", note: "good" },
  { value: "0.2%", text: "0.2% of the pot", note: "fine" },
  { value: "0.1%", text: "0.1% of the pot", note: "very fine" },
];

export function requestOf(draft: Draft, overwrite: boolean): SpotRequest {
  const request: SpotRequest = {
    text: draftText(draft),
    name: draft.name.trim(),
    storage: draft.storage,
    overwrite,
  };
  if (draft.target.trim()) request.target = draft.target.trim();
  if (draft.algorithm.trim()) request.algorithm = draft.algorithm.trim();
  if (Number(draft.iterations) > 0) request.iterations = Number(draft.iterations);
  if (Number(draft.seconds) > 0) request.seconds = Number(draft.seconds);
  return request;
}

export function SolveCard({ draft, check }: { draft: Draft; check: Check }) {
  const open = useStore(unfinished).size > 0;
  const [busy, setBusy] = useState(false);
  const [taken, setTaken] = useState(false);
  const named = /^[^/\\.][^\\]*$/.test(draft.name.trim());
  const ready = check.current && check.error === null && check.reply !== null && named && !open;

  async function solve(overwrite: boolean) {
    setBusy(true);
    setTaken(false);
    try {
      const job = await post<Job>("spot/solve", requestOf(draft, overwrite));
      noteJob(job);
      navigate(`#/job?id=${job.id}`);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) setTaken(true);
      else notifyError(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <aside class="panel solve-card" aria-label="Size and solving">
      <h2>Size</h2>
      <Counts check={check} storage={draft.storage} />
      <hr />
      <h2>Solve</h2>
      <Field label="Name" help={named ? undefined : "Letters, digits, - and folders with /"}>
        <input
          value={draft.name}
          spellcheck={false}
          data-testid="spot-name"
          onInput={(event: { currentTarget: HTMLInputElement }) =>
            changeDraft({ name: event.currentTarget.value })
          }
        />
      </Field>
      <Accuracy draft={draft} />
      <MoreSettings draft={draft} />
      <Button
        kind="primary"
        class="wide-button"
        disabled={!ready || busy}
        testid="spot-solve"
        onClick={() => solve(false)}
      >
        {busy ? "Starting…" : "Solve"}
      </Button>
      {open && <p class="field-error">A field cannot be read: correct it first.</p>}
      <div class="solve-bar">
        <span class="small-text num">{barText(draft, check)}</span>
        <Button kind="primary" disabled={!ready || busy} testid="spot-solve-bar" onClick={() => solve(false)}>
          Solve
        </Button>
      </div>
      <Confirm
        title={`${draft.name}.h5 is there already`}
        text="Replace it with the new solution? To keep both, cancel and choose another name."
        yes="Replace"
        danger
        open={taken}
        onYes={() => solve(true)}
        onClose={() => setTaken(false)}
      />
    </aside>
  );
}

// Narrow screens keep the button in sight, with the size beside it.
function barText(draft: Draft, check: Check): string {
  if (check.error) return check.error;
  return check.reply ? `${draft.name}: ${bytes(check.reply.memory[draft.storage])} of memory` : "Counting…";
}

function Counts({ check, storage }: { check: Check; storage: Draft["storage"] }) {
  const { reply, error, current } = check;
  return (
    <div class="stack" aria-live="polite">
      {error && (
        <div data-testid="spot-error">
          <Notice kind="bad">{error}</Notice>
        </div>
      )}
      {reply ? (
        <CountTable reply={reply} storage={storage} stale={!current || error !== null} />
      ) : (
        !error && <Spinner label="Counting" />
      )}
      {reply?.warning && !error && <Notice kind="warn">{reply.warning}</Notice>}
    </div>
  );
}

function CountTable({
  reply,
  storage,
  stale,
}: {
  reply: SpotReply;
  storage: Draft["storage"];
  stale: boolean;
}) {
  const total = useStore(serverState)?.memory_bytes ?? 0;
  return (
    <div class={`stack counts${stale ? " stale" : ""}`} data-testid="spot-counts">
      <table class="tight">
        <thead>
          <tr>
            <th>Street</th>
            <th class="num">Boards</th>
            <th class="num">Nodes</th>
            <th class="num">Decisions</th>
          </tr>
        </thead>
        <tbody>
          {reply.streets.map((street) => (
            <tr key={street.name}>
              <td>{street.name}</td>
              <td
                class="num"
                title={`${grouped(street.boards)} solved, for ${grouped(street.dealt)} that can be dealt`}
              >
                {grouped(street.boards)}
              </td>
              <td class="num">{grouped(street.nodes)}</td>
              <td class="num">{grouped(street.decisions)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl class="facts">
        <dt>Information sets</dt>
        <dd class="num">
          {grouped(reply.infosets[0])} OOP, {grouped(reply.infosets[1])} IP
        </dd>
        <dt>Memory</dt>
        <dd>
          {(["f32", "i16", "f64"] as const).map((kind) => (
            <MemoryLine
              key={kind}
              kind={kind}
              need={reply.memory[kind]}
              free={reply.available_bytes}
              on={kind === storage}
            />
          ))}
        </dd>
        <dt>Free</dt>
        <dd class="num">
          {bytes(reply.available_bytes)}
          {total > 0 && <span class="muted"> of {bytes(total)}</span>}
        </dd>
        <dt>File</dt>
        <dd class="num">about {bytes(reply.file_bytes)}</dd>
      </dl>
    </div>
  );
}

function MemoryLine(props: { kind: string; need: number; free: number; on: boolean }) {
  const fits = props.need <= props.free;
  return (
    <div class={`num memory-line${props.on ? " on" : ""}${fits ? "" : " bad"}`}>
      {props.kind}: {bytes(props.need)}
      {!fits && " (does not fit)"}
    </div>
  );
}

function Accuracy({ draft }: { draft: Draft }) {
  const listed = TARGETS.some((target) => target.value === draft.target);
  return (
    <Field
      label="Accuracy"
      help="Solving stops when nobody could gain more than this, in the mean of both seats."
    >
      <select
        value={draft.target}
        data-testid="spot-target"
        onChange={(event: { currentTarget: HTMLSelectElement }) =>
          changeDraft({ target: event.currentTarget.value })
        }
      >
        {!listed && <option value={draft.target}>{draft.target || "no target: until a limit below"}</option>}
        {TARGETS.map((target) => (
          <option key={target.value} value={target.value}>
            {target.text} ({target.note})
          </option>
        ))}
      </select>
    </Field>
  );
}

const STORAGES = [
  { value: "f32", text: "f32: 32-bit numbers" },
  { value: "i16", text: "i16: half the memory, a little less exact" },
  { value: "f64", text: "f64: 64-bit numbers, to check the others" },
];

function MoreSettings({ draft }: { draft: Draft }) {
  const text = (key: "target" | "algorithm" | "iterations" | "seconds") => ({
    value: draft[key],
    spellcheck: false,
    onInput: (event: { currentTarget: HTMLInputElement }) =>
      changeDraft({ [key]: event.currentTarget.value }),
  });
  return (
    <details>
      <summary>More</summary>
      <div class="stack more-settings">
        <Field label="Storage">
          <select
            value={draft.storage}
            data-testid="spot-storage"
            onChange={(event: { currentTarget: HTMLSelectElement }) =>
              changeDraft({ storage: event.currentTarget.value as Draft["storage"] })
            }
          >
            {STORAGES.map((storage) => (
              <option key={storage.value} value={storage.value}>
                {storage.text}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Algorithm" help="Of the CFR family; empty is the default, dcfr(gamma=3)">
          <input placeholder="dcfr(gamma=3)" data-testid="spot-algorithm" {...text("algorithm")} />
        </Field>
        <Field label="Own target" help="0.05% of the pot, or chips such as 0.3">
          <input data-testid="spot-own-target" {...text("target")} />
        </Field>
        <Field label="At most" unit="iterations">
          <input inputMode="numeric" placeholder="no limit" {...text("iterations")} />
        </Field>
        <Field label="At most" unit="seconds">
          <input inputMode="decimal" placeholder="no limit" {...text("seconds")} />
        </Field>
      </div>
    </details>
  );
}
