// Which game: built in with parameters, or a file of the workspace.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { FileEntry, Games } from "../types";
import { Button, Field } from "../ui";
import { defaultsOf, parseSpec, specText } from "./spec";

interface Props {
  games: Games;
  files: FileEntry[]; // of games
  game: string; // "": none yet
  onGame: (game: string) => void;
  children?: ComponentChildren; // beside the choice
}

export function GamePicker({ games, files, game, onGame, children }: Props) {
  const spec = parseSpec(game);
  return (
    <div class="game-picker">
      <Field label="Game">
        <select
          data-testid="lab-game"
          value={spec.name}
          onChange={(event) => onGame(event.currentTarget.value)}
        >
          <option value="" disabled>
            Choose a game
          </option>
          <optgroup label="Built in">
            {games.games.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </optgroup>
          {files.length > 0 && (
            <optgroup label="Files">
              {files.map((file) => (
                <option key={file.file} value={file.file}>
                  {file.file}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </Field>
      <div class="game-beside">{children}</div>
      <Params key={spec.name} games={games} game={game} onGame={onGame} />
    </div>
  );
}

function Params({ games, game, onGame }: Omit<Props, "files">) {
  const spec = parseSpec(game);
  const entry = games.games.find((one) => one.name === spec.name);
  const file = /\.game$/.test(spec.name);
  const [params, setParams] = useState(spec.params);
  useEffect(() => setParams(parseSpec(game).params), [game]);
  const list = entry?.params ?? (file ? [SIZES] : []);
  if (list.length === 0) return null;
  function apply(event: Event) {
    event.preventDefault();
    onGame(specText({ name: spec.name, params }, defaultsOf(games.games, spec.name)));
  }
  return (
    <details class="params" open={Object.keys(spec.params).length > 0}>
      <summary data-testid="lab-params">Parameters</summary>
      <form class="stack" onSubmit={apply}>
        <div class="fields">
          {list.map((param) => (
            <Field key={param.name} label={param.name} help={param.help}>
              <input
                data-testid={`param-${param.name}`}
                placeholder={param.default}
                value={params[param.name] ?? ""}
                onInput={(event) => setParams({ ...params, [param.name]: event.currentTarget.value })}
              />
            </Field>
          ))}
        </div>
        <div class="row">
          <Button kind="primary" type="submit" small testid="params-apply">
            Use these
          </Button>
          <Button small onClick={() => onGame(spec.name)}>
            Defaults
          </Button>
        </div>
      </form>
    </details>
  );
}

const SIZES = { name: "sizes", default: "", help: "bet sizes of a no-limit game, e.g. 50%:100%:a" };

// All games as cards: what the page shows before one is chosen.
export function GameCards({ games, files, onGame }: Omit<Props, "game">) {
  return (
    <div class="game-cards">
      {games.games.map((one) => (
        <button key={one.name} type="button" class="game-card" onClick={() => onGame(one.name)}>
          <strong>{one.name}</strong>
          <span>{one.summary}</span>
          {one.params.length > 0 && (
            <span class="muted small-text">{one.params.map((param) => param.name).join(", ")}</span>
          )}
        </button>
      ))}
      {files.map((file) => (
        <button key={file.file} type="button" class="game-card" onClick={() => onGame(file.file)}>
          <strong>{file.file}</strong>
          <span>A game file of the workspace</span>
        </button>
      ))}
    </div>
  );
}
