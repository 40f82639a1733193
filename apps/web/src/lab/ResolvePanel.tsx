import { useEffect, useState } from "preact/hooks";
import { rememberGame } from "../shell/openFile";
import type { CutInfo, Games, ResolveRequest, ResolveResult } from "../types";
import { Button, Field, Notice } from "../ui";
import { AlgorithmField } from "./AlgorithmField";
import { CutField } from "./CutField";
import { JobProgress, Refusal, useJobStart } from "./JobStart";
import { ResolveView } from "./ResolveView";
import { NumberField } from "./SolvePanel";
import { fileName } from "./spec";

interface Props {
  game: string;
  games: Games;
  strategy: string; // shown above: the first choice for the trunk
  strategies: string[];
  cut: string;
  cuts: string[];
  cutInfo: CutInfo | null;
  started: number | null;
  setStarted: (id: number) => void;
  onCut: (cut: string) => void;
  onShow: (infoset: number, strategy: string) => void;
}

export function ResolvePanel(props: Props) {
  const { game, games } = props;
  const [trunk, setTrunk] = useState<"file" | "solve">(props.strategy ? "file" : "solve");
  const [file, setFile] = useState(props.strategy);
  const [blueprint, setBlueprint] = useState("");
  const [blueprintIterations, setBlueprintIterations] = useState("100");
  const [methods, setMethods] = useState<string[]>(["unsafe", "resolve", "maxmargin", "reach-maxmargin"]);
  const [iterations, setIterations] = useState("1000");
  const [algorithm, setAlgorithm] = useState("");
  const [name, setName] = useState("");
  const starter = useJobStart("game/resolve", props.started, props.setStarted);
  const job = starter.job;
  const result = job?.result as ResolveResult | null | undefined;
  const proposed = fileName(game, "resolve");

  useEffect(() => {
    if (props.strategy && file === "") setFile(props.strategy);
  }, [props.strategy]);
  useEffect(() => {
    if (!result) return;
    const made = [result.trunk, ...result.methods.map((method) => method.strategy)];
    for (const one of made) rememberGame(one, game);
  }, [result]);

  function toggle(method: string) {
    const on = methods.includes(method);
    setMethods(on ? methods.filter((one) => one !== method) : [...methods, method]);
  }
  function submit(event: Event) {
    event.preventDefault();
    // In the list's order, whatever order they were ticked in.
    const chosen = games.methods.map((one) => one.name).filter((one) => methods.includes(one));
    const body: ResolveRequest = { game, name: name.trim() || proposed, cut: props.cut, methods: chosen };
    if (trunk === "file") body.strategy = file;
    else {
      if (blueprint) body.blueprint = blueprint;
      if (blueprintIterations) body.blueprint_iterations = Number(blueprintIterations);
    }
    if (iterations) body.iterations = Number(iterations);
    if (algorithm) body.algorithm = algorithm;
    void starter.start({ ...body });
  }
  const busy = job?.state === "running" || job?.state === "queued";
  const ready = props.cut !== "" && methods.length > 0 && (trunk === "solve" || file !== "");
  return (
    <div class="stack">
      <form class="stack" onSubmit={submit}>
        <p class="muted small-text">
          A cut takes the game apart: a trunk, and subgames below it. Each subgame is solved again, and the
          whole is measured before and after.
        </p>
        <TrunkPart
          {...{ trunk, setTrunk, file, setFile, blueprint, setBlueprint, blueprintIterations }}
          setIterations={setBlueprintIterations}
          strategies={props.strategies}
          games={games}
        />
        <CutField cut={props.cut} cuts={props.cuts} onCut={props.onCut} testid="resolve-cut" />
        {props.cutInfo && <CutRemark info={props.cutInfo} />}
        <MethodList games={games} methods={methods} toggle={toggle} />
        <div class="fields">
          <NumberField
            label="Iterations per subgame"
            value={iterations}
            onChange={setIterations}
            placeholder="1000"
            testid="resolve-iterations"
          />
          <Field label="Name of the results">
            <input
              placeholder={proposed}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </Field>
        </div>
        <details class="params">
          <summary>Algorithm for the subgames</summary>
          <AlgorithmField
            label="Algorithm"
            list={games.algorithms.filter((one) => !one.exact)}
            value={algorithm}
            placeholder="cfr+"
            onChange={setAlgorithm}
          />
        </details>
        <Refusal starter={starter} />
        <div class="row">
          <Button kind="primary" type="submit" testid="resolve-run" disabled={busy || !ready}>
            {busy ? "Re-solving…" : "Re-solve"}
          </Button>
          {!ready && (
            <span class="muted small-text">
              {props.cut === "" && "Choose a cut."}
              {props.cut !== "" && (methods.length === 0 ? "Tick a method." : "Choose a strategy.")}
            </span>
          )}
        </div>
      </form>
      {job && <JobProgress job={job} />}
      {result && <ResolveView result={result} onShow={props.onShow} />}
    </div>
  );
}

function CutRemark({ info }: { info: CutInfo }) {
  return (
    <>
      <p class="small-text num">{info.text}</p>
      {info.remark && <Notice kind="warn">{info.remark}</Notice>}
    </>
  );
}

interface TrunkProps {
  trunk: "file" | "solve";
  setTrunk: (trunk: "file" | "solve") => void;
  file: string;
  setFile: (file: string) => void;
  strategies: string[];
  blueprint: string;
  setBlueprint: (algorithm: string) => void;
  blueprintIterations: string;
  setIterations: (iterations: string) => void;
  games: Games;
}

function TrunkPart(props: TrunkProps) {
  return (
    <fieldset class="plain stack">
      <legend class="field-label">Trunk: the strategy before</legend>
      <label class="check">
        <input
          type="radio"
          name="trunk"
          checked={props.trunk === "solve"}
          onChange={() => props.setTrunk("solve")}
          data-testid="trunk-solve"
        />
        Solve it now, coarsely
      </label>
      {props.trunk === "solve" && (
        <div class="indent stack">
          <NumberField
            label="Iterations"
            value={props.blueprintIterations}
            onChange={props.setIterations}
            placeholder="1000"
            testid="trunk-iterations"
          />
          <AlgorithmField
            label="Algorithm"
            list={props.games.algorithms.filter((one) => !one.exact)}
            value={props.blueprint}
            placeholder="pcfr+"
            onChange={props.setBlueprint}
          />
        </div>
      )}
      <label class="check">
        <input
          type="radio"
          name="trunk"
          checked={props.trunk === "file"}
          disabled={props.strategies.length === 0}
          onChange={() => props.setTrunk("file")}
          data-testid="trunk-file"
        />
        A strategy from the folder
      </label>
      {props.trunk === "file" && (
        <div class="indent">
          <select
            aria-label="Strategy of the trunk"
            value={props.file}
            onChange={(event) => props.setFile(event.currentTarget.value)}
          >
            <option value="">Choose</option>
            {props.strategies.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
      )}
    </fieldset>
  );
}

function MethodList(props: { games: Games; methods: string[]; toggle: (method: string) => void }) {
  return (
    <fieldset class="plain">
      <legend class="field-label">Methods</legend>
      <ul class="method-list">
        {props.games.methods.map((method) => (
          <li key={method.name}>
            <label class="check">
              <input
                type="checkbox"
                data-testid={`method-${method.name}`}
                checked={props.methods.includes(method.name)}
                onChange={() => props.toggle(method.name)}
              />
              <span class="method-name">{method.name}</span>
              <span class={`chip ${method.safe ? "good" : "warn"}`}>{method.safe ? "safe" : "not safe"}</span>
            </label>
            <p class="muted small-text">
              {upper(method.summary)}. {upper(method.condition)}.
            </p>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
