import { useEffect, useRef, useState } from "preact/hooks";
import type { Job } from "../types";
import { Button, notifyError, ProgressBar } from "../ui";
import { cancelJob, hasEnded, jobs, removeJob } from "./jobs";
import { ago, timeLeft } from "./time";
import { useRoute } from "./router";
import { useStore } from "./store";

const MOST_ENDED = 8;

export function JobsTray() {
  const list = useStore(jobs);
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLDivElement>(null);
  const route = useRoute();
  const live = list.filter((job) => !hasEnded(job));
  const running = live.find((job) => job.state === "running");

  useEffect(() => setOpen(false), [route.path, route.query.toString()]);
  useEffect(() => {
    if (!open) return;
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      button.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("keydown", escape);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("keydown", escape);
    };
  }, [open]);

  const share = running?.progress?.share ?? null;
  return (
    <div class="tray" ref={box}>
      <div ref={button}>
        <Button
          kind="quiet"
          small
          testid="jobs"
          aria-expanded={open}
          aria-controls="jobs-tray"
          onClick={() => setOpen(!open)}
        >
          Jobs
          {live.length > 0 && (
            <span class="chip accent num">
              {running && share !== null ? `${Math.floor(share * 100)}%` : live.length}
            </span>
          )}
        </Button>
      </div>
      {open && (
        <section class="tray-panel panel" id="jobs-tray" aria-label="Jobs">
          <TrayList list={list} />
        </section>
      )}
    </div>
  );
}

function TrayList({ list }: { list: Job[] }) {
  const live = list.filter((job) => !hasEnded(job)).sort((a, b) => a.place - b.place);
  const ended = list.filter(hasEnded).slice(0, MOST_ENDED);
  if (list.length === 0) {
    return <p class="muted">No jobs yet. What you solve goes on here, even when this tab is closed.</p>;
  }
  return (
    <>
      {live.length > 0 && <h2>Under way</h2>}
      {live.map((job) => (
        <JobLine key={job.id} job={job} />
      ))}
      {ended.length > 0 && <h2>Ended</h2>}
      {ended.map((job) => (
        <JobLine key={job.id} job={job} />
      ))}
    </>
  );
}

export const STATE_WORDS: Record<Job["state"], string> = {
  queued: "waits",
  running: "runs",
  done: "done",
  failed: "failed",
  cancelled: "cancelled",
};

// One job in a list, with its progress and what can be done with it.
export function JobLine({ job }: { job: Job }) {
  const left = job.progress?.left;
  return (
    <div class="job-line" data-testid={`job-${job.id}`}>
      <div class="job-line-text">
        <a href={`#/job?id=${job.id}`}>{job.title}</a>
        <span class={`small-text ${job.state === "failed" ? "bad" : "muted"}`}>
          {job.state === "queued" && `waits, number ${job.place} in the queue`}
          {job.state === "running" && (job.progress?.text ?? "starts")}
          {job.state === "running" && left != null && `, ${timeLeft(left)} left`}
          {hasEnded(job) && `${STATE_WORDS[job.state]}, ${ago(job.created)}`}
          {job.state === "failed" && job.error && `: ${job.error}`}
        </span>
      </div>
      {hasEnded(job) ? (
        <Button
          small
          kind="quiet"
          aria-label={`Forget ${job.title}`}
          title="Forget this job (files stay)"
          onClick={() => removeJob(job.id).catch(notifyError)}
        >
          ✕
        </Button>
      ) : (
        <Button
          small
          aria-label={`Cancel ${job.title}`}
          testid={`job-cancel-${job.id}`}
          onClick={() => cancelJob(job.id).catch(notifyError)}
        >
          Cancel
        </Button>
      )}
      {job.state === "running" && <ProgressBar share={job.progress?.share ?? null} label={job.title} />}
    </div>
  );
}
