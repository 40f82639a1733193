// Templates, spots from the workspace, and saving this one.
import { useState } from "preact/hooks";
import { ApiError, get, post } from "../api";
import { bytes, moment } from "../format";
import type { FileEntry, Files, SpotReply } from "../types";
import { Button, Dialog, ErrorNotice, Field, notify, notifyError, Spinner, useFetch } from "../ui";
import { draft, draftText, newDraft, templateDraft, type Draft } from "./draft";
import { templates } from "./templates";

// Takes a spot from the workspace.
export async function openSpot(file: string): Promise<void> {
  const { text } = await get<{ text: string }>("files/text", { file });
  const name = file.replace(/\.toml$/, "");
  try {
    const reply = await post<SpotReply>("spot/check", { text });
    draft.set(newDraft(reply.spot, name));
  } catch (error) {
    // It cannot be read: it is shown as text, with what is wrong.
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    draft.set({ ...draft.get(), text, name });
  }
}

export function Templates() {
  return (
    <div class="templates" role="group" aria-label="Spots to begin with">
      {templates.map((template) => (
        <button
          key={template.key}
          type="button"
          class="template"
          title={template.note}
          data-testid={`template-${template.key}`}
          onClick={() => {
            const next = templateDraft(template.key);
            if (next) draft.set(next);
          }}
        >
          <strong>{template.title}</strong>
          <span class="muted small-text">{template.note}</span>
        </button>
      ))}
    </div>
  );
}

export function OpenButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small onClick={() => setOpen(true)} testid="spot-open">
        Open…
      </Button>
      <Dialog title="Open a spot" open={open} onClose={() => setOpen(false)}>
        <SpotList onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function SpotList({ onDone }: { onDone: () => void }) {
  const { data, error, reload } = useFetch<Files>("files");
  if (error) return <ErrorNotice error={error} retry={reload} />;
  if (!data) return <Spinner />;
  const spots = data.files.filter((entry) => entry.kind === "spot");
  if (spots.length === 0)
    return <p>There is no .toml file in the workspace yet. Save this spot to make one.</p>;
  async function take(entry: FileEntry) {
    try {
      await openSpot(entry.file);
      onDone();
    } catch (problem) {
      notifyError(problem);
    }
  }
  return (
    <ul class="file-list">
      {spots.map((entry) => (
        <li key={entry.file}>
          <button
            type="button"
            class="file-choice"
            onClick={() => take(entry)}
            data-testid={`open-${entry.file}`}
          >
            <span>{entry.file}</span>
            <span class="muted small-text num">
              {bytes(entry.bytes)}, {moment(entry.modified)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export function SaveButton({ value }: { value: Draft }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small onClick={() => setOpen(true)} testid="spot-save">
        Save as .toml…
      </Button>
      <Dialog title="Save the spot" open={open} onClose={() => setOpen(false)}>
        <SaveForm value={value} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function SaveForm({ value, onDone }: { value: Draft; onDone: () => void }) {
  const [name, setName] = useState(value.name);
  const [taken, setTaken] = useState(false);
  async function save(event: Event) {
    event.preventDefault();
    const file = `${name.trim().replace(/\.toml$/, "")}.toml`;
    try {
      await post<Files>("files/text", { file, text: draftText(value), overwrite: taken });
      notify(`Saved as ${file}.`, "good");
      onDone();
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) setTaken(true);
      else notifyError(error);
    }
  }
  return (
    <form class="stack" onSubmit={save}>
      <Field
        label="Name"
        unit=".toml"
        error={taken ? "There is a spot of this name. Save again to replace it, or choose another." : null}
      >
        <input
          value={name}
          data-testid="spot-save-name"
          onInput={(event: { currentTarget: HTMLInputElement }) => {
            setName(event.currentTarget.value);
            setTaken(false);
          }}
        />
      </Field>
      <div class="row end">
        <Button type="submit" kind="primary" disabled={name.trim() === ""} testid="spot-save-yes">
          {taken ? "Replace" : "Save"}
        </Button>
      </div>
    </form>
  );
}
