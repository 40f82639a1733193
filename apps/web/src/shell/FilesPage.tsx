import { useEffect, useState } from "preact/hooks";
import { post } from "../api";
import { bytes } from "../format";
import type { FileEntry, Files } from "../types";
import { Button, Confirm, Dialog, ErrorNotice, Field, notify, notifyError, Spinner, useFetch } from "../ui";
import { jobs, onJobEnd } from "./jobs";
import { openHash } from "./openFile";
import { navigate, useRoute } from "./router";
import { serverState } from "./server";
import { useStore } from "./store";
import { ago } from "./time";

type Kind = FileEntry["kind"];
const KINDS: { kind: Kind; name: string; what: string }[] = [
  { kind: "solution", name: "Solutions", what: "solved hold'em spots (.h5)" },
  { kind: "spot", name: "Spots", what: "hold'em spots to solve (.toml)" },
  { kind: "strategy", name: "Strategies", what: "strategies of other games (.csv, .h5)" },
  { kind: "history", name: "Convergence", what: "how runs converged (.history.csv)" },
  { kind: "game", name: "Games", what: "game files (.efg, .game)" },
];

export function FilesPage() {
  const { query } = useRoute();
  const fetched = useFetch<Files>("files");
  const [list, setList] = useState<FileEntry[] | null>(null);
  const [kind, setKind] = useState<Kind | "all">((query.get("kind") as Kind | null) ?? "all");
  const [search, setSearch] = useState("");
  useEffect(() => {
    if (fetched.data) setList(fetched.data.files);
  }, [fetched.data]);
  useEffect(() => onJobEnd(fetched.reload), [fetched.reload]);

  const shown = (list ?? []).filter(
    (entry) =>
      (kind === "all" || entry.kind === kind) && entry.file.toLowerCase().includes(search.toLowerCase()),
  );
  const groups = KINDS.filter((group) => shown.some((entry) => entry.kind === group.kind));
  return (
    <div class="page">
      <div class="page-head">
        <h1>Files</h1>
        <FolderLine />
      </div>
      {fetched.error && <ErrorNotice error={fetched.error} retry={fetched.reload} />}
      <div class="row">
        <div class="segmented files-kinds" role="group" aria-label="Kinds of files">
          <KindButton
            name="All"
            count={list?.length ?? 0}
            on={kind === "all"}
            choose={() => setKind("all")}
          />
          {KINDS.map((group) => (
            <KindButton
              key={group.kind}
              name={group.name}
              count={(list ?? []).filter((entry) => entry.kind === group.kind).length}
              on={kind === group.kind}
              choose={() => setKind(group.kind)}
            />
          ))}
        </div>
        <input
          class="files-search"
          type="search"
          placeholder="Search names"
          aria-label="Search names"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <Button onClick={fetched.reload}>Refresh</Button>
      </div>
      {list === null && !fetched.error && <Spinner />}
      {list !== null && shown.length === 0 && (
        <section class="panel">
          <p>
            {list.length === 0
              ? "Nothing here yet. Solve a spot or a game, or put files into the folder and press Refresh."
              : "No file fits. Choose All or clear the search."}
          </p>
        </section>
      )}
      {groups.map((group) => (
        <section class="panel" key={group.kind} aria-label={group.name}>
          <div class="row">
            <h2>{group.name}</h2>
            <span class="muted small-text">{group.what}</span>
          </div>
          <FileTable entries={shown.filter((entry) => entry.kind === group.kind)} onChange={setList} />
        </section>
      ))}
    </div>
  );
}

function KindButton(props: { name: string; count: number; on: boolean; choose: () => void }) {
  return (
    <Button small aria-pressed={props.on} onClick={props.choose}>
      {props.name} <span class="muted num">{props.count}</span>
    </Button>
  );
}

function FolderLine() {
  const state = useStore(serverState);
  if (!state) return null;
  async function copy() {
    await navigator.clipboard.writeText(state?.workspace ?? "");
    notify("The folder's path is on the clipboard.", "good");
  }
  return (
    <span class="folder-line">
      <span class="muted">in</span> <code>{state.workspace}</code>{" "}
      <Button small kind="quiet" onClick={() => copy().catch(notifyError)}>
        Copy path
      </Button>
    </span>
  );
}

function FileTable({ entries, onChange }: { entries: FileEntry[]; onChange: (list: FileEntry[]) => void }) {
  const [copying, setCopying] = useState<FileEntry | null>(null);
  const [deleting, setDeleting] = useState<FileEntry | null>(null);
  const list = useStore(jobs);
  async function open(entry: FileEntry) {
    navigate(await openHash(entry, list));
  }
  async function remove() {
    if (!deleting) return;
    try {
      onChange((await post<Files>("files/delete", { file: deleting.file })).files);
      notify(`Deleted ${deleting.file}.`);
    } catch (error) {
      notifyError(error);
    }
    setDeleting(null);
  }
  return (
    <>
      <table class="files-table">
        <thead>
          <tr>
            <th>Name</th>
            <th class="num files-size">Size</th>
            <th class="files-when">Changed</th>
            <th>
              <span class="hidden-text">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.file} data-testid={`file-${entry.file}`}>
              <td class="files-name">{entry.file}</td>
              <td class="num files-size">{bytes(entry.bytes)}</td>
              <td class="files-when muted">{ago(entry.modified)}</td>
              <td>
                <div class="row end files-actions">
                  <Button
                    small
                    kind="primary"
                    aria-label={`Open ${entry.file}`}
                    onClick={() => void open(entry)}
                  >
                    Open
                  </Button>
                  <Button small aria-label={`Copy ${entry.file}`} onClick={() => setCopying(entry)}>
                    Copy
                  </Button>
                  <Button
                    small
                    kind="danger"
                    aria-label={`Delete ${entry.file}`}
                    onClick={() => setDeleting(entry)}
                  >
                    Delete
                  </Button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {copying && <CopyDialog entry={copying} onChange={onChange} onClose={() => setCopying(null)} />}
      <Confirm
        title="Delete this file?"
        text={`${deleting?.file ?? ""} will be gone from the disk.`}
        yes="Delete"
        danger
        open={deleting !== null}
        onYes={remove}
        onClose={() => setDeleting(null)}
      />
    </>
  );
}

// "nash.history.csv" is "nash" and ".history.csv".
function ending(entry: FileEntry): string {
  if (entry.kind === "history") return ".history.csv";
  const dot = entry.file.lastIndexOf(".");
  return dot < 0 ? "" : entry.file.slice(dot);
}

function CopyDialog(props: { entry: FileEntry; onChange: (list: FileEntry[]) => void; onClose: () => void }) {
  const end = ending(props.entry);
  const [name, setName] = useState(`${props.entry.file.slice(0, -end.length || undefined)} copy`);
  const [error, setError] = useState<string | null>(null);
  async function copy(event: Event) {
    event.preventDefault();
    try {
      const reply = await post<Files>("files/copy", { from: props.entry.file, to: name.trim() + end });
      props.onChange(reply.files);
      props.onClose();
    } catch (problem) {
      setError(problem instanceof Error ? problem.message : String(problem));
    }
  }
  return (
    <Dialog title={`Copy ${props.entry.file}`} open onClose={props.onClose}>
      <form class="stack" onSubmit={(event) => void copy(event)}>
        <Field label="Name of the copy" error={error} unit={end} help="Folders are made with '/'.">
          <input
            value={name}
            autofocus
            onFocus={(event) => event.currentTarget.select()}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <div class="row end">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={name.trim() === ""}>
            Copy
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
