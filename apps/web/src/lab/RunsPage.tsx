// Convergence of several runs in one chart.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../api";
import { general, grouped, seconds } from "../format";
import { jobs, onJobEnd } from "../shell/jobs";
import { hashOf, replaceRoute, useRoute } from "../shell/router";
import { useStore } from "../shell/store";
import type { Files, GameRequest, GameResult, HistoryReply, Point } from "../types";
import { Button, Chart, ErrorNotice, Notice, notify, notifyError, Spinner, useFetch } from "../ui";
import "./lab.css";

interface Run {
  key: string; // a history's file
  game: string;
  algorithm: string;
  points: Point[];
}

export function RunsPage() {
  const { query } = useRoute();
  const files = useFetch<Files>("files");
  useEffect(() => onJobEnd(files.reload), [files.reload]);
  const chosen = query.getAll("file");
  const [byTime, setByTime] = useState(false);
  const loaded = useRuns(chosen);
  const runs = chosen.flatMap((key) => loaded.runs.get(key) ?? []);
  const histories = useHistories(files.data);

  function setChosen(next: string[]) {
    const search = new URLSearchParams(next.map((file) => ["file", file]));
    replaceRoute(hashOf("/lab/runs") + (next.length > 0 ? `?${search}` : ""));
  }
  return (
    <div class="page">
      <div class="page-head">
        <h1>Convergence</h1>
        <a href="#/lab">Back to games</a>
      </div>
      {files.error && <ErrorNotice error={files.error} retry={files.reload} />}
      {loaded.error && <Notice kind="bad">{loaded.error}</Notice>}
      <div class="runs">
        <section class="panel">
          <h2>Runs</h2>
          {!files.data && !files.error && <Spinner />}
          {files.data && histories.length === 0 && (
            <p class="muted">No run has been saved yet. Solve a game or a spot, then compare here.</p>
          )}
          <ul class="run-list">
            {histories.map((entry) => (
              <li key={entry.file}>
                <label class="check">
                  <input
                    type="checkbox"
                    checked={chosen.includes(entry.file)}
                    data-testid={`run-${entry.file}`}
                    onChange={() =>
                      setChosen(
                        chosen.includes(entry.file)
                          ? chosen.filter((one) => one !== entry.file)
                          : [...chosen, entry.file],
                      )
                    }
                  />
                  <span>
                    {entry.file.replace(/\.history\.csv$/, "")}
                    {entry.note && <span class="muted small-text"> {entry.note}</span>}
                  </span>
                </label>
              </li>
            ))}
          </ul>
          {chosen.length > 0 && (
            <div class="row">
              <Button small onClick={() => setChosen([])}>
                None
              </Button>
            </div>
          )}
        </section>
        <section class="panel">
          {runs.length === 0 ? (
            <p class="muted">Tick runs to see them in one chart, both axes in powers of ten.</p>
          ) : (
            <RunsChart runs={runs} byTime={byTime} setByTime={setByTime} />
          )}
        </section>
      </div>
    </div>
  );
}

// Histories of the folder, with what the jobs that wrote them know.
function useHistories(files: Files | null): { file: string; note: string }[] {
  const list = useStore(jobs);
  return useMemo(() => {
    const notes = new Map<string, string>();
    for (const job of list) {
      const result = job.result as Partial<GameResult> | null;
      if (job.kind !== "solve-game" || !result?.history) continue;
      const request = job.request as GameRequest;
      notes.set(result.history, `${request.game}, ${request.algorithm ?? "pcfr+"}`);
    }
    return (files?.files ?? [])
      .filter((file) => file.kind === "history")
      .map((file) => ({ file: file.file, note: notes.get(file.file) ?? "" }));
  }, [files, list]);
}

function useRuns(chosen: string[]): { runs: Map<string, Run>; error: string | null } {
  const [runs, setRuns] = useState<Map<string, Run>>(new Map());
  const [error, setError] = useState<string | null>(null);
  const asked = useRef(new Set<string>());
  useEffect(() => {
    for (const file of chosen) {
      if (asked.current.has(file)) continue;
      asked.current.add(file);
      get<HistoryReply>("history", { file }).then(
        (reply) => setRuns((before) => new Map(before).set(file, { key: file, ...reply })),
        (problem: Error) => {
          asked.current.delete(file);
          setError(`${file}: ${problem.message}`);
        },
      );
    }
  }, [chosen.join("\n")]);
  return { runs, error };
}

// A name for each run; the file tells apart those of the same game and algorithm.
function nameOf(run: Run, all: Run[]): string {
  const words = `${run.game}, ${run.algorithm}`;
  const same = all.filter((one) => `${one.game}, ${one.algorithm}` === words);
  return same.length > 1 ? `${words} (${run.key.replace(/\.history\.csv$/, "")})` : words;
}

interface ChartProps {
  runs: Run[];
  byTime: boolean;
  setByTime: (byTime: boolean) => void;
}

function RunsChart({ runs, byTime, setByTime }: ChartProps) {
  const picture = useRef<(() => Promise<Blob | null>) | null>(null);
  const series = useMemo(
    () =>
      runs.map((run) => ({
        name: nameOf(run, runs),
        points: run.points.map((point): [number, number] => [byTime ? point[1] : point[0], point[2]]),
      })),
    [runs.map((run) => run.key).join("\n"), byTime],
  );
  async function savePicture() {
    const blob = await picture.current?.();
    if (blob) save("convergence.png", blob);
    else notify("The browser could not make the picture.", "bad");
  }
  return (
    <>
      <div class="row between">
        <div class="segmented" role="group" aria-label="Horizontal axis">
          <Button small aria-pressed={!byTime} onClick={() => setByTime(false)}>
            By iterations
          </Button>
          <Button small aria-pressed={byTime} testid="runs-seconds" onClick={() => setByTime(true)}>
            By seconds
          </Button>
        </div>
        <div class="row">
          <Button small testid="runs-csv" onClick={() => save("convergence.csv", csv(runs))}>
            Download CSV
          </Button>
          <Button small testid="runs-png" onClick={() => savePicture().catch(notifyError)}>
            Download PNG
          </Button>
        </div>
      </div>
      <Chart
        series={series}
        xLabel={byTime ? "seconds" : "iterations"}
        yLabel="exploitability"
        logX
        logY
        height={380}
        onReady={(make) => {
          picture.current = make;
        }}
      />
      <FinalTable runs={runs} />
    </>
  );
}

function FinalTable({ runs }: { runs: Run[] }) {
  return (
    <div class="scroll-x">
      <table class="runs-table">
        <thead>
          <tr>
            <th>Run</th>
            <th class="num">Iterations</th>
            <th class="num">Time</th>
            <th class="num">Exploitability</th>
            <th class="num">Value</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => {
            const last = run.points.at(-1);
            return (
              <tr key={run.key}>
                <td>{nameOf(run, runs)}</td>
                <td class="num">{last ? grouped(last[0]) : ""}</td>
                <td class="num">{last ? seconds(last[1]) : ""}</td>
                <td class="num">{last ? general(last[2], 6) : ""}</td>
                <td class="num">{last ? general(last[3], 6) : ""}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

// With the columns that the program's own histories have.
function csv(runs: Run[]): Blob {
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = runs.flatMap((run) =>
    run.points.map((point) => [quote(run.game), quote(run.algorithm), ...point].join(",")),
  );
  return new Blob([["game,algorithm,iteration,seconds,exploitability,value", ...rows].join("\n"), "\n"], {
    type: "text/csv",
  });
}

function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
