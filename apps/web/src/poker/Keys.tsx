// Keys of the browser, and the dialog that lists them.
import { useEffect, useRef } from "preact/hooks";
import { Dialog } from "../ui";

const KEYS: [keys: string, what: string][] = [
  ["1 … 9", "take the first, second, … action"],
  ["Backspace", "go back one step"],
  ["Arrows", "move in the grid"],
  ["v", "next view: strategy, EV, equity, reach, realised"],
  ["p", "the other player's range"],
  ["l", "lock this node"],
  ["?", "this list"],
];

export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keys" open={open} onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

// Whether the key belongs to what is being typed into, or to an open dialog.
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (document.querySelector("dialog[open]")) return true;
  const target = event.target;
  return target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
}

// Calls back for keys pressed anywhere on the page; true: it was for us.
export function useKeys(handle: (event: KeyboardEvent) => boolean): void {
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isTaken(event) && latest.current(event)) event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
