// Copies, names and the end of a solution's file.
import { useState } from "preact/hooks";
import { ApiError, post } from "../api";
import { hashOf, navigate } from "../shell/router";
import type { Files } from "../types";
import { Button, Confirm, Dialog, Field, notify, notifyError } from "../ui";
import { isBundled, stemOf } from "./names";
import { forgetNodes } from "./useNode";

type Open = "copy" | "rename" | "delete" | null;

export function SolutionFiles({ file }: { file: string }) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  async function remove() {
    try {
      await post<Files>("files/delete", { file });
      forgetNodes();
      notify(`${file} was deleted.`);
      navigate("#/files");
    } catch (error) {
      notifyError(error);
    } finally {
      close();
    }
  }
  return (
    <>
      <Button small onClick={() => setOpen("copy")} testid="save-as">
        Save as…
      </Button>
      {!isBundled(file) && (
        <>
          <Button small onClick={() => setOpen("rename")} testid="rename">
            Rename…
          </Button>
          <Button small onClick={() => setOpen("delete")} testid="delete">
            Delete…
          </Button>
        </>
      )}
      <Dialog
        title={open === "rename" ? "Rename the solution" : "Save a copy"}
        open={open === "copy" || open === "rename"}
        onClose={close}
      >
        <NameForm file={file} rename={open === "rename"} onDone={close} />
      </Dialog>
      <Confirm
        title={`Delete ${file}?`}
        text="The solution is gone for good; the spot can be solved again."
        yes="Delete"
        danger
        open={open === "delete"}
        onYes={remove}
        onClose={close}
      />
    </>
  );
}

function NameForm({ file, rename, onDone }: { file: string; rename: boolean; onDone: () => void }) {
  const stem = stemOf(file);
  const [name, setName] = useState(rename ? stem : `${stem}-copy`);
  const [error, setError] = useState<string | null>(null);
  async function save(event: Event) {
    event.preventDefault();
    const to = `${name.trim().replace(/\.h5$/, "")}.h5`;
    if (to === file) return onDone();
    try {
      await post<Files>("files/copy", { from: file, to, overwrite: false });
      if (rename) await post<Files>("files/delete", { file });
      forgetNodes();
      notify(rename ? `Now called ${to}.` : `Saved as ${to}.`, "good");
      onDone();
      if (rename) navigate(hashOf("/solution", { file: to }));
    } catch (problem) {
      setError(problem instanceof ApiError ? problem.message : String(problem));
    }
  }
  return (
    <form class="stack" onSubmit={save}>
      <Field label="Name" unit=".h5" error={error}>
        <input
          value={name}
          data-testid="solution-name"
          onInput={(event: { currentTarget: HTMLInputElement }) => {
            setName(event.currentTarget.value);
            setError(null);
          }}
        />
      </Field>
      <div class="row end">
        <Button type="submit" kind="primary" disabled={name.trim() === ""} testid="solution-name-yes">
          {rename ? "Rename" : "Save"}
        </Button>
      </div>
    </form>
  );
}
