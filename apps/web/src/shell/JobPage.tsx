import { GameJob } from "../lab/GameJob";
import { ResolveJob } from "../lab/ResolveJob";
import { SpotJob } from "../poker";
import { seconds } from "../format";
import type { Job } from "../types";
import { Button, ErrorNotice, Notice, notifyError, ProgressBar, Spinner } from "../ui";
import { cancelJob, hasEnded, removeJob, useJob } from "./jobs";
import { navigate, useRoute } from "./router";
import { timeLeft } from "./time";

export function JobPage() {
  const id = Number(useRoute().query.get("id") ?? "NaN");
  const { job, error } = useJob(id);
  if (error || !Number.isFinite(id)) {
    return (
      <div class="page">
        <ErrorNotice error={error ?? new Error("The address names no job: open one from Jobs above.")} />
      </div>
    );
  }
  if (!job) {
    return (
      <div class="page">
        <Spinner />
      </div>
    );
  }
  if (job.kind === "solve-spot") return <SpotJob key={job.id} job={job} />;
  return (
    <div class="page">
      <JobHead job={job} />
      {job.kind === "solve-game" ? <GameJob job={job} /> : <ResolveJob job={job} />}
    </div>
  );
}

// Title, state, progress, cancel: what jobs have in common.
export function JobHead({ job }: { job: Job }) {
  async function forget() {
    await removeJob(job.id);
    navigate("#/");
  }
  return (
    <section class="panel">
      <div class="row between">
        <h1>{job.title}</h1>
        {hasEnded(job) ? (
          <Button small onClick={() => forget().catch(notifyError)}>
            Forget this job
          </Button>
        ) : (
          <Button testid="job-cancel" onClick={() => cancelJob(job.id).catch(notifyError)}>
            Cancel
          </Button>
        )}
      </div>
      <JobState job={job} />
    </section>
  );
}

function JobState({ job }: { job: Job }) {
  const progress = job.progress;
  if (job.state === "failed") return <Notice kind="bad">{job.error ?? "The job failed."}</Notice>;
  if (job.state === "queued") {
    return <Notice>Waits: number {job.place} in the queue. One job runs at a time.</Notice>;
  }
  if (job.state === "cancelled") {
    return (
      <Notice kind="warn">
        Cancelled. {job.result ? "What was reached until then is below and was saved." : "Nothing was saved."}
      </Notice>
    );
  }
  if (job.state === "done") {
    return <p class="muted">Done{progress ? ` in ${seconds(progress.seconds)}` : ""}.</p>;
  }
  return (
    <>
      <ProgressBar share={progress?.share ?? null} label={job.title} />
      <p class="muted num">
        {progress?.text ?? "Starts."}
        {progress?.left != null && ` About ${timeLeft(progress.left)} left.`} You can close this tab: the job
        goes on.
      </p>
    </>
  );
}
