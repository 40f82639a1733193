import type { ComponentChildren } from "preact";
import { noteError } from "../shell/server";
import { Store, useStore } from "../shell/store";

interface NoticeProps {
  kind?: "info" | "bad" | "good" | "warn";
  children: ComponentChildren;
}

// A box in the page: what went wrong or what to know.
export function Notice({ kind = "info", children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  const text = error instanceof Error ? error.message : String(error);
  return (
    <Notice kind="bad">
      <span>{text}</span>
      {retry && (
        <button type="button" class="button small" onClick={retry}>
          Try again
        </button>
      )}
    </Notice>
  );
}

// Short messages that go away by themselves.
interface Toast {
  id: number;
  kind: "info" | "bad" | "good";
  text: string;
}
const toasts = new Store<Toast[]>([]);
let last = 0;

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export function notify(text: string, kind: Toast["kind"] = "info"): void {
  const id = ++last;
  toasts.set([...toasts.get().slice(-3), { id, kind, text }]);
  setTimeout(() => dismiss(id), kind === "bad" ? 10000 : 4500);
}

// For `.catch(notifyError)`.
export function notifyError(error: unknown): void {
  noteError(error);
  notify(error instanceof Error ? error.message : String(error), "bad");
}

export function Toasts() {
  const list = useStore(toasts);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {list.map((toast) => (
        <div key={toast.id} class={`toast ${toast.kind}`}>
          <span>{toast.text}</span>
          <button
            type="button"
            class="button quiet small"
            aria-label="Dismiss"
            onClick={() => dismiss(toast.id)}
          >
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
