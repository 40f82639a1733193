import { useEffect, useState } from "preact/hooks";
import { rememberGame } from "../shell/openFile";
import type { GameRequest, GameResult, Games } from "../types";
import { Button, Field } from "../ui";
import { AlgorithmField } from "./AlgorithmField";
import { Convergence } from "./Convergence";
import { GameOutcome } from "./GameJob";
import { JobProgress, Refusal, useJobStart } from "./JobStart";
import { fileName, parseSpec } from "./spec";

interface Props {
  game: string;
  games: Games;
  started: number | null;
  setStarted: (id: number) => void;
  onSolved: (strategy: string) => void; // once, when the job that was started here is done
}

const DEFAULT_ALGORITHM = "pcfr+";

export function SolvePanel({ game, games, started, setStarted, onSolved }: Props) {
  const [algorithm, setAlgorithm] = useState("");
  const [iterations, setIterations] = useState("1000");
  const [target, setTarget] = useState("");
  const [seconds, setSeconds] = useState("");
  const [seed, setSeed] = useState("");
  const [name, setName] = useState("");
  const starter = useJobStart("game/solve", started, setStarted);
  const job = starter.job;
  const result = job?.result as GameResult | null | undefined;
  const chosenName = parseSpec(algorithm).name || DEFAULT_ALGORITHM;
  const chosen = games.algorithms.find((one) => one.name === chosenName);
  const proposed = fileName(game, algorithm || DEFAULT_ALGORITHM);

  useEffect(() => {
    if (!result?.strategy) return;
    rememberGame(result.strategy, game);
    onSolved(result.strategy);
  }, [result?.strategy, job?.id]);

  function submit(event: Event) {
    event.preventDefault();
    const body: GameRequest = { game, name: name.trim() || proposed };
    if (algorithm) body.algorithm = algorithm;
    if (!chosen?.exact) {
      if (iterations) body.iterations = Number(iterations);
      if (target) body.target = Number(target);
      if (seconds) body.seconds = Number(seconds);
      if (seed) body.seed = Number(seed);
    }
    void starter.start({ ...body });
  }
  const busy = job?.state === "running" || job?.state === "queued";
  const points = result?.points ?? job?.progress?.points ?? [];
  return (
    <div class="stack">
      <form class="stack" onSubmit={submit}>
        <AlgorithmField
          label="Algorithm"
          list={games.algorithms}
          value={algorithm}
          placeholder={DEFAULT_ALGORITHM}
          onChange={setAlgorithm}
          testid="lab-algorithm"
        />
        {!chosen?.exact && (
          <fieldset class="plain">
            <legend class="field-label">Stop at the first of</legend>
            <div class="fields">
              <NumberField
                label="Iterations"
                value={iterations}
                onChange={setIterations}
                testid="lab-iterations"
              />
              <NumberField
                label="Exploitability"
                value={target}
                onChange={setTarget}
                any
                testid="lab-target"
              />
              <NumberField label="Seconds" value={seconds} onChange={setSeconds} any />
              <NumberField label="Seed" value={seed} onChange={setSeed} placeholder="1" />
            </div>
          </fieldset>
        )}
        <Field label="Name of the strategy" unit=".csv">
          <input
            data-testid="lab-name"
            placeholder={proposed}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <Refusal starter={starter} />
        <div class="row">
          <Button kind="primary" type="submit" testid="lab-solve" disabled={busy}>
            {busy ? "Solving…" : "Solve"}
          </Button>
          <span class="muted small-text">It goes on when this tab is closed.</span>
        </div>
      </form>
      {job && <JobProgress job={job} />}
      {points.length > 0 && job && <Convergence name={job.title} points={points} />}
      {result && <GameOutcome game={game} result={result} />}
    </div>
  );
}

interface NumberProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  any?: boolean; // fractions too
  placeholder?: string;
  testid?: string;
}

export function NumberField({ label, value, onChange, any, placeholder, testid }: NumberProps) {
  return (
    <Field label={label}>
      <input
        type="number"
        min={any ? "0" : "1"}
        step={any ? "any" : "1"}
        inputMode={any ? "decimal" : "numeric"}
        placeholder={placeholder ?? "no limit"}
        data-testid={testid}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}
