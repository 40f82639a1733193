// `share` from 0 to 1; null: under way, how far is not known.
export function ProgressBar({ share, label }: { share: number | null; label: string }) {
  const percent = share === null ? undefined : Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div
      class={percent === undefined ? "progress unknown" : "progress"}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div style={{ width: percent === undefined ? "30%" : `${percent}%` }} />
    </div>
  );
}

export function Spinner({ label = "Loading" }: { label?: string }) {
  return (
    <span class="spinner" role="status">
      <span class="spinner-ring" aria-hidden="true" />
      <span class="muted">{label}…</span>
    </span>
  );
}
