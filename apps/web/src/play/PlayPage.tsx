import { useEffect, useState } from "preact/hooks";
import { post } from "../api";
import { parseSpec } from "../lab/spec";
import { GamePicker } from "../lab/GamePicker";
import { isBundled, titleOf } from "../poker/names";
import { gameOfStrategy } from "../shell/openFile";
import { jobs } from "../shell/jobs";
import { hashOf, navigate, useRoute } from "../shell/router";
import { serverState } from "../shell/server";
import { useStore } from "../shell/store";
import type { Files, Games, Table } from "../types";
import { Button, ErrorNotice, Field, Spinner, useFetch } from "../ui";
import { CardFace } from "./CardFace";
import "./play.css";
import { TableView } from "./TableView";

export function PlayPage() {
  const { query } = useRoute();
  const id = Number(query.get("table") ?? "NaN");
  return Number.isFinite(id) ? <TableView key={id} id={id} /> : <Chooser key={query.toString()} />;
}

type Choice = "kuhn" | "leduc" | "other" | "spot";
const CHOICES: { key: Choice; title: string; text: string; cards: string[] }[] = [
  { key: "kuhn", title: "Kuhn poker", text: "Three cards, one bet. A hand takes seconds.", cards: ["K"] },
  { key: "leduc", title: "Leduc hold'em", text: "One card each, one on the board.", cards: ["Kh", "Js"] },
  { key: "spot", title: "Hold'em spot", text: "One that you solved, or the example.", cards: ["As", "Kd"] },
  { key: "other", title: "Another game", text: "Dice, goofspiel, coin toss, or a file.", cards: ["6"] },
];

type Seat = "0" | "1" | "alternate";

function Chooser() {
  const { query } = useRoute();
  const games = useFetch<Games>("games");
  const files = useFetch<Files>("files");
  const example = useStore(serverState)?.example ?? "";
  const given = query.get("game") ?? "";
  const [choice, setChoice] = useState<Choice>(firstChoice(given, query.get("solution")));
  const [game, setGame] = useState(given && firstChoice(given, null) === "other" ? given : "");
  const [solution, setSolution] = useState(query.get("solution") ?? "");
  const [strategy, setStrategy] = useState(query.get("strategy") ?? "");
  const [seat, setSeat] = useState<Seat>("alternate");
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const list = files.data?.files ?? [];
  const solutions = list.filter((file) => file.kind === "solution").map((file) => file.file);
  if (example && !solutions.includes(example)) solutions.push(example);
  const spec = choice === "other" ? game : choice;
  const strategies = useStrategiesOf(files.data, choice === "spot" ? "" : spec);
  const chosenSolution = solution || (solutions.includes(example) ? example : (solutions[0] ?? ""));

  async function start(event: Event) {
    event.preventDefault();
    setBusy(true);
    setError(null);
    const place = seat === "alternate" ? seat : Number(seat);
    const body =
      choice === "spot"
        ? { solution: chosenSolution, seat: place }
        : { game: spec, strategy: strategies.includes(strategy) ? strategy : undefined, seat: place };
    try {
      const table = await post<Table>("play", body);
      navigate(hashOf("/play", { table: table.id }));
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error(String(problem)));
    } finally {
      setBusy(false);
    }
  }
  const ready = choice === "spot" ? chosenSolution !== "" : spec !== "";
  return (
    <div class="page play-choose">
      <div class="page-head">
        <h1>Play against a solution</h1>
        <p class="muted">It plays its strategy by chance, and never looks at your cards.</p>
      </div>
      <div class="play-cards" role="radiogroup" aria-label="Game">
        {CHOICES.map((one) => (
          <label key={one.key} class={`play-card ${choice === one.key ? "on" : ""}`}>
            <input
              type="radio"
              name="game"
              data-testid={`play-game-${one.key}`}
              checked={choice === one.key}
              onChange={() => setChoice(one.key)}
            />
            <span class="card-row" aria-hidden="true">
              {one.cards.map((card) => (
                <CardFace key={card} card={card} small />
              ))}
            </span>
            <strong>{one.title}</strong>
            <span class="muted small-text">{one.text}</span>
          </label>
        ))}
      </div>
      <section class="panel">
        {choice === "other" && games.data && (
          <GamePicker
            games={games.data}
            files={list.filter((file) => file.kind === "game")}
            game={game}
            onGame={setGame}
          />
        )}
        {choice === "other" && !games.data && !games.error && <Spinner />}
        {games.error && <ErrorNotice error={games.error} retry={games.reload} />}
        <form class="stack" onSubmit={(event) => void start(event)}>
          <div class="fields">
            {choice === "spot" ? (
              <Field label="Solution">
                <select
                  data-testid="play-solution"
                  value={chosenSolution}
                  onChange={(event) => setSolution(event.currentTarget.value)}
                >
                  {solutions.map((name) => (
                    <option key={name} value={name}>
                      {isBundled(name) ? titleOf(name) : name}
                    </option>
                  ))}
                </select>
              </Field>
            ) : (
              <Field label="Opponent">
                <select
                  data-testid="play-strategy"
                  value={strategies.includes(strategy) ? strategy : ""}
                  onChange={(event) => setStrategy(event.currentTarget.value)}
                >
                  <option value="">solved now</option>
                  {strategies.map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </select>
              </Field>
            )}
            <Field label="Your seat">
              <select
                data-testid="play-seat"
                value={seat}
                onChange={(event) => setSeat(event.currentTarget.value as Seat)}
              >
                <option value="alternate">by turns</option>
                <option value="0">first ({choice === "spot" ? "out of position" : "player 1"})</option>
                <option value="1">second ({choice === "spot" ? "in position" : "player 2"})</option>
              </select>
            </Field>
          </div>
          {error && <ErrorNotice error={error} />}
          <div class="row">
            <Button kind="primary" type="submit" testid="play-start" disabled={!ready || busy}>
              {busy ? "Setting up…" : "Sit down"}
            </Button>
            {!ready && <span class="muted small-text">Choose a game first.</span>}
          </div>
        </form>
      </section>
    </div>
  );
}

function firstChoice(game: string, solution: string | null): Choice {
  if (solution) return "spot";
  if (game === "" || game === "leduc") return "leduc";
  return game === "kuhn" ? "kuhn" : "other";
}

// Files that are known to be strategies of the game.
function useStrategiesOf(files: Files | null, game: string): string[] {
  const [found, setFound] = useState<string[]>([]);
  useEffect(() => {
    let wanted = true;
    const list = files?.files ?? [];
    const histories = new Set(list.filter((file) => file.kind === "history").map((file) => file.file));
    const names = list.filter((file) => file.kind === "strategy").map((file) => file.file);
    const same = (other: string | null) => other !== null && specKey(other) === specKey(game);
    void Promise.all(names.slice(0, 200).map((name) => gameOfStrategy(name, jobs.get(), histories))).then(
      (all) => wanted && setFound(game === "" ? [] : names.filter((_, at) => same(all[at] ?? null))),
    );
    return () => {
      wanted = false;
    };
  }, [files, game]);
  return found;
}

// The same whatever the order of parameters.
function specKey(text: string): string {
  const spec = parseSpec(text);
  return JSON.stringify([spec.name, Object.entries(spec.params).sort()]);
}
