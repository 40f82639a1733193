// A spot being solved: how far it is, and then the way to the solution.
import { useMemo } from "preact/hooks";
import { exploitability, fixed, general, grouped, bytes, percent, seconds } from "../format";
import { cancelJob, removeJob } from "../shell/jobs";
import { hashOf, navigate } from "../shell/router";
import type { Job, Point, SpotRequest, SpotResult } from "../types";
import { Button, Chart, Notice, notifyError, ProgressBar } from "../ui";
import { draft, newDraft } from "./draft";
import { useSpotOf } from "./useSpotOf";
import "./poker.css";
import "./setup.css";

const ENDED = ["done", "failed", "cancelled"];

export function SpotJob({ job }: { job: Job }) {
  const request = job.request as SpotRequest;
  const result = job.result as SpotResult | null;
  const ended = ENDED.includes(job.state);
  return (
    <div class="page">
      <section class="panel">
        <div class="row between">
          <h1>
            {ended ? "Solve" : "Solving"} {request.name}
          </h1>
          <JobButtons job={job} result={result} />
        </div>
        <StateLine job={job} />
        {result && <Result result={result} text={request.text} />}
      </section>
      <Curve job={job} request={request} />
    </div>
  );
}

function JobButtons({ job, result }: { job: Job; result: SpotResult | null }) {
  if (!ENDED.includes(job.state)) {
    return (
      <Button testid="job-cancel" onClick={() => cancelJob(job.id).catch(notifyError)}>
        {job.state === "queued" ? "Do not solve" : "Stop and keep what is solved"}
      </Button>
    );
  }
  const forget = async () => {
    await removeJob(job.id);
    navigate("#/spot");
  };
  return (
    <span class="row">
      <Button small kind="quiet" onClick={() => forget().catch(notifyError)}>
        Forget this job
      </Button>
      <EditButton job={job} />
      {result && (
        <Button
          kind="primary"
          testid="browse"
          onClick={() => navigate(hashOf("/solution", { file: result.file }))}
        >
          Browse
        </Button>
      )}
    </span>
  );
}

function EditButton({ job }: { job: Job }) {
  const request = job.request as SpotRequest;
  const { form } = useSpotOf(request.text);
  function edit() {
    if (!form) return;
    const { name, target = "0.1%", storage = "f32", algorithm = "" } = request;
    draft.set(newDraft(form, name, { target, storage, algorithm }));
    navigate("#/spot");
  }
  return (
    <Button small disabled={!form} onClick={edit}>
      Edit this spot
    </Button>
  );
}

function StateLine({ job }: { job: Job }) {
  const { progress } = job;
  const request = job.request as SpotRequest;
  const { pot, memory } = useSpotOf(request.text);
  if (job.state === "failed") return <Notice kind="bad">{job.error ?? "Solving failed."}</Notice>;
  if (job.state === "queued")
    return <Notice>Waits: number {job.place} in the queue. One job runs at a time.</Notice>;
  if (job.state === "cancelled") {
    const kept = job.result
      ? "What was solved until then is kept."
      : "It was stopped before there was anything to keep.";
    return <Notice kind="warn">Stopped. {kept}</Notice>;
  }
  if (job.state === "done") return null;
  const rows: [string, string][] = [
    ["Exploitability", shownExploitability(progress?.exploitability ?? null, pot)],
    ["Target", request.target ?? "0.1% of the pot"],
    ["Iterations", progress ? grouped(progress.iteration) : "0"],
    ["Time", progress ? seconds(progress.seconds) : "-"],
    ["Left", progress?.left != null ? `about ${seconds(progress.left)}` : "-"],
    ["Memory", memory ? bytes(memory[request.storage ?? "f32"]) : "-"],
  ];
  return (
    <>
      <ProgressBar share={progress?.share ?? null} label={`Solving ${request.name}`} />
      <dl class="job-facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="num">{value}</dd>
          </div>
        ))}
      </dl>
      <p class="muted small-text">
        <span data-testid="job-text">{progress?.text ?? "Starts"}</span>. You can leave this page: solving goes
        on.
      </p>
    </>
  );
}

function shownExploitability(value: number | null, pot: number | null): string {
  if (value === null) return "-";
  return pot ? exploitability(value, (100 * value) / pot) : `${general(value, 3)} chips`;
}

function Result({ result, text }: { result: SpotResult; text: string }) {
  const { pot } = useSpotOf(text);
  const side = (name: string, player: 0 | 1) => (
    <tr key={name}>
      <td>{name}</td>
      <td class="num">{fixed(result.values[player], 4)}</td>
      <td class="num">{pot ? percent(result.values[player] / pot, 2) : "-"}</td>
      <td class="num">{fixed(result.best_response[player], 4)}</td>
    </tr>
  );
  return (
    <div class="stack" data-testid="spot-result">
      <p>
        Exploitability{" "}
        <strong class="num">{exploitability(result.exploitability, result.exploitability_percent)}</strong>,
        mean over the two seats, after {grouped(result.iterations)} iterations in {seconds(result.seconds)}{" "}
        with {bytes(result.memory_bytes)}. Kept as <code>{result.file}</code>.
      </p>
      <div class="scroll-x">
        <table class="tight result-table">
          <thead>
            <tr>
              <th />
              <th class="num">Value, chips</th>
              <th class="num">of the pot</th>
              <th class="num">Best response, chips</th>
            </tr>
          </thead>
          <tbody>
            {side("OOP", 0)}
            {side("IP", 1)}
          </tbody>
        </table>
      </div>
    </div>
  );
}

// Progress is told now and then; the end is in the result.
function withEnd(points: Point[], result: SpotResult | null): Point[] {
  const last = points.at(-1);
  if (!result || (last && last[0] >= result.iterations)) return points;
  return [
    ...points,
    [result.iterations, Math.max(result.seconds, last?.[1] ?? 0), result.exploitability, result.values[0]],
  ];
}

function Curve({ job, request }: { job: Job; request: SpotRequest }) {
  const result = job.result as SpotResult | null;
  const points = withEnd(job.progress?.points ?? [], result);
  const { pot } = useSpotOf(request.text);
  const series = useMemo(
    () => [
      {
        name: pot ? "Exploitability, % of the pot" : "Exploitability, chips",
        points: points.map(([, time, value]): [number, number] => [time, pot ? (100 * value) / pot : value]),
      },
    ],
    [points.length, pot],
  );
  if (points.length === 0 && job.state !== "running") return null;
  return (
    <section class="panel" aria-label="Convergence">
      <h2>Exploitability over time</h2>
      {points.length === 0 && <p class="muted">The first measurement comes after ten iterations.</p>}
      <Chart series={series} xLabel="seconds" yLabel={pot ? "% of the pot" : "chips"} logY height={300} />
    </section>
  );
}
