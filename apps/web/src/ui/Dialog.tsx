import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Button } from "./Button";

interface Props {
  title: string;
  open: boolean;
  onClose: () => void;
  children: ComponentChildren;
  footer?: ComponentChildren;
  wide?: boolean;
  testid?: string;
}

// The browser's own modal dialog: it keeps the focus inside, closes by Escape, and gives the focus back.
export function Dialog(props: Props) {
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ title, onClose, children, footer, wide, testid }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const label = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      dialog.current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "dialog wide" : "dialog"}
      aria-labelledby={label}
      data-testid={testid}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2 id={label}>{title}</h2>
          <Button kind="quiet" small aria-label="Close" onClick={onClose}>
            ✕
          </Button>
        </header>
        <div class="dialog-body">{children}</div>
        {footer !== undefined && <footer class="dialog-foot">{footer}</footer>}
      </div>
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  text: ComponentChildren;
  yes: string; // what the button does: "Delete"
  danger?: boolean;
  open: boolean;
  onYes: () => void | Promise<void>;
  onClose: () => void;
}

export function Confirm({ title, text, yes, danger, open, onYes, onClose }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  async function go() {
    setBusy(true);
    try {
      await onYes();
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog
      title={title}
      open={open}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={danger ? "danger" : "primary"} disabled={busy} testid="confirm-yes" onClick={go}>
            {yes}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}
