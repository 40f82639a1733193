import { useEffect, useState } from "preact/hooks";
import { grouped } from "../format";
import type { Certificate, StrategyReply } from "../types";
import { Button, ErrorNotice, Field, Spinner, useFetch } from "../ui";
import { MixBar, PlayerChip } from "./bars";
import { CertificateLine } from "./Certificate";

const PAGE = 200;

interface Props {
  game: string;
  strategy: string;
  onShow: (infoset: number) => void; // in the tree
}

export function StrategyTable({ game, strategy, onShow }: Props) {
  const [search, setSearch] = useState("");
  const [player, setPlayer] = useState<string>("");
  const [from, setFrom] = useState(0);
  useEffect(() => setFrom(0), [game, strategy, search, player]);
  const { data, error, loading, reload } = useFetch<StrategyReply>(strategy ? "game/strategy" : null, {
    game,
    strategy,
    player: player || undefined,
    search: search || undefined,
    from: from || undefined,
  });
  if (!strategy) {
    return <p class="muted">No strategy yet: solve the game, or choose a strategy above the tree.</p>;
  }
  return (
    <div class="stack">
      <Evaluation game={game} strategy={strategy} />
      <div class="fields">
        <Field label="Search">
          <input
            type="search"
            data-testid="strategy-search"
            placeholder="Part of a label"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </Field>
        <Field label="Of">
          <select value={player} onChange={(event) => setPlayer(event.currentTarget.value)}>
            <option value="">both players</option>
            <option value="0">player 1</option>
            <option value="1">player 2</option>
          </select>
        </Field>
      </div>
      {error && <ErrorNotice error={error} retry={reload} />}
      {!data && loading && <Spinner />}
      {data && (
        <>
          <p class="muted small-text num">{pageWords(data, from)}</p>
          <ul class="set-list">
            {data.infosets.map((set) => (
              <li key={set.id}>
                <button
                  type="button"
                  class="set-row"
                  onClick={() => onShow(set.id)}
                  title="Show it in the tree"
                >
                  <PlayerChip player={set.player} />
                  <code>{set.label}</code>
                  <MixBar actions={set.actions} mix={set.probabilities} />
                </button>
              </li>
            ))}
          </ul>
          {data.total > PAGE && (
            <div class="row">
              <Button small disabled={from === 0} onClick={() => setFrom(Math.max(0, from - PAGE))}>
                Back
              </Button>
              <Button small disabled={from + PAGE >= data.total} onClick={() => setFrom(from + PAGE)}>
                Further
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  );
}

function pageWords(data: StrategyReply, from: number): string {
  if (data.total === 0) return "No information set fits.";
  const last = grouped(from + data.infosets.length);
  return `${grouped(from + 1)} to ${last} of ${grouped(data.total)} information sets`;
}

function Evaluation({ game, strategy }: { game: string; strategy: string }) {
  const { data, error } = useFetch<Certificate>("game/evaluate", { game, strategy });
  if (error) return null; // the tree and the table say what is wrong
  return data ? <CertificateLine certificate={data} /> : <Spinner label="Evaluating" />;
}
