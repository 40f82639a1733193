// Starting a job from a panel: the request, what was refused, and the job as it goes on.
import { useState } from "preact/hooks";
import { ApiError, post } from "../api";
import { cancelJob, hasEnded, noteJob, useJob } from "../shell/jobs";
import { timeLeft } from "../shell/time";
import type { Job } from "../types";
import { Button, Notice, notifyError, ProgressBar } from "../ui";

export interface Starter {
  job: Job | null;
  refusal: ApiError | null;
  start: (body: Record<string, unknown>) => Promise<void>;
  replace: () => Promise<void>; // the same again, over files that are there
}

export function useJobStart(path: string, started: number | null, setStarted: (id: number) => void): Starter {
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const [last, setLast] = useState<Record<string, unknown>>({});
  const { job } = useJob(started ?? NaN);
  async function start(body: Record<string, unknown>) {
    setRefusal(null);
    setLast(body);
    try {
      const made = await post<Job>(path, body);
      noteJob(made);
      setStarted(made.id);
    } catch (error) {
      if (error instanceof ApiError) setRefusal(error);
      else notifyError(error);
    }
  }
  return { job, refusal, start, replace: () => start({ ...last, overwrite: true }) };
}

export function Refusal({ starter }: { starter: Starter }) {
  if (!starter.refusal) return null;
  return (
    <Notice kind="bad">
      <span>{starter.refusal.message}</span>
      {starter.refusal.status === 409 && (
        <Button small testid="replace" onClick={() => void starter.replace()}>
          Replace it
        </Button>
      )}
    </Notice>
  );
}

// Progress of a job that has not ended, or why it has no result.
export function JobProgress({ job }: { job: Job }) {
  if (job.state === "failed") return <Notice kind="bad">{job.error ?? "The job failed."}</Notice>;
  if (job.state === "cancelled" && !job.result) return <Notice kind="warn">Cancelled.</Notice>;
  if (hasEnded(job)) return null;
  const progress = job.progress;
  return (
    <div class="stack">
      <ProgressBar share={progress?.share ?? null} label={job.title} />
      <div class="row between">
        <span class="muted small-text num">
          {job.state === "queued" && `Waits: number ${job.place} in the queue.`}
          {job.state === "running" && (progress?.text ?? "Starts.")}
          {progress?.left != null && ` About ${timeLeft(progress.left)} left.`}
        </span>
        <Button small onClick={() => cancelJob(job.id).catch(notifyError)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
