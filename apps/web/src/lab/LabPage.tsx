import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../api";
import { grouped } from "../format";
import { jobs, onJobEnd } from "../shell/jobs";
import { gameOfStrategy, rememberGame } from "../shell/openFile";
import { hashOf, replaceRoute, useRoute } from "../shell/router";
import type { FileEntry, Files, GameInfo, GameNode, Games } from "../types";
import { ErrorNotice, Field, Notice, notifyError, Spinner, Tabs, useFetch } from "../ui";
import { CutField } from "./CutField";
import { GameCards, GamePicker } from "./GamePicker";
import "./lab.css";
import { NodePanel } from "./NodePanel";
import { ResolvePanel } from "./ResolvePanel";
import { SolvePanel } from "./SolvePanel";
import { StrategyTable } from "./StrategyTable";
import { TreeView } from "./TreeView";
import { useTree } from "./useTree";

export function LabPage() {
  const { query } = useRoute();
  const games = useFetch<Games>("games");
  const files = useFetch<Files>("files");
  useEffect(() => onJobEnd(files.reload), [files.reload]);
  const game = query.get("game") ?? "";
  const list = files.data?.files ?? [];
  const gameFiles = list.filter((file) => file.kind === "game");
  const choose = (next: string) => replaceRoute(hashOf("/lab", { game: next }));
  if (games.error) {
    return (
      <div class="page">
        <ErrorNotice error={games.error} retry={games.reload} />
      </div>
    );
  }
  if (!games.data) {
    return (
      <div class="page">
        <Spinner />
      </div>
    );
  }
  const orphan = game === "" ? query.get("strategy") : null;
  return (
    <div class="page lab">
      <section class="panel lab-head">
        <h1 class="hidden-text">Games</h1>
        <GamePicker games={games.data} files={gameFiles} game={game} onGame={choose}>
          {game && <InfoLine game={game} />}
        </GamePicker>
        <a class="lab-runs" href="#/lab/runs" data-testid="lab-runs">
          Compare convergence
        </a>
      </section>
      {orphan && (
        <Notice>
          Which game is {orphan} a strategy of? Choose it above; then the strategy can be chosen over its
          tree.
        </Notice>
      )}
      {game === "" ? (
        <GameCards games={games.data} files={gameFiles} onGame={choose} />
      ) : (
        <Workbench key={game} game={game} games={games.data} files={list} />
      )}
    </div>
  );
}

function InfoLine({ game }: { game: string }) {
  const { data, error, loading, reload } = useFetch<GameInfo>("game", { game });
  if (error) return <ErrorNotice error={error} retry={reload} />;
  if (!data || loading) return <Spinner label="Building the game" />;
  return (
    <p class="info-line num" data-testid="lab-info">
      <span>
        <strong>{grouped(data.histories)}</strong> histories
      </span>
      <span>
        <strong>{grouped(data.terminals)}</strong> ends
      </span>
      <span>
        <strong>
          {grouped(data.infosets[0])} + {grouped(data.infosets[1])}
        </strong>{" "}
        information sets
      </span>
      <span>
        <strong>{grouped(data.public_states)}</strong> public states
      </span>
      <span>
        <strong>{data.levels}</strong> levels
      </span>
      <span class={`chip ${data.perfect_recall ? "good" : "warn"}`}>
        {data.perfect_recall ? "perfect recall" : "imperfect recall"}
      </span>
      <span class={`chip ${data.zero_sum ? "good" : "warn"}`}>
        {data.zero_sum ? "zero-sum" : "not zero-sum"}
      </span>
    </p>
  );
}

type TabKey = "node" | "strategy" | "solve" | "resolve";

// The tree of one game, and beside it what can be asked and done.
function Workbench({ game, games, files }: { game: string; games: Games; files: FileEntry[] }) {
  const { query } = useRoute();
  const strategy = query.get("strategy") ?? "";
  const cut = query.get("cut") ?? "";
  const node = Number(query.get("node") ?? "0");
  const tab = (query.get("tab") as TabKey | null) ?? "node";
  const [solveJob, setSolveJob] = useState<number | null>(null);
  const [resolveJob, setResolveJob] = useState<number | null>(null);
  const place = useRef<HTMLElement>(null);
  const info = useFetch<GameInfo>("game", { game });
  const known = info.data !== null;
  const question = useMemo(() => (known ? { game, cut, strategy } : null), [game, cut, strategy, known]);
  const tree = useTree(question);
  const detail = useFetch<GameNode>(info.data ? "game/node" : null, {
    game,
    id: node,
    cut: cut || undefined,
    strategy: strategy || undefined,
  });
  const strategies = useStrategies(files, game);

  // Only what is named changes; the rest of the address stays.
  function go(change: Record<string, string | number | undefined>) {
    const now = new URLSearchParams(location.hash.split("?")[1] ?? "");
    replaceRoute(hashOf("/lab", { ...Object.fromEntries(now), infoset: undefined, ...change }));
  }
  async function showSet(infoset: number, file?: string) {
    const loaded = [...tree.nodes.values()].find((one) => one.infoset === infoset);
    const found = loaded ?? (await get<GameNode>("game/node", { game, infoset })).node;
    if (found.infoset !== infoset) throw new Error(`No history of information set ${infoset} was found.`);
    go({ node: found.id, strategy: file ?? strategy });
    place.current?.scrollIntoView({ block: "nearest" });
  }
  // "infoset=K" in the address: a link to an information set.
  const wanted = query.get("infoset");
  useEffect(() => {
    if (wanted !== null) showSet(Number(wanted)).catch(notifyError);
  }, [wanted]);
  // The way to the chosen history is opened.
  useEffect(() => {
    if (!detail.data || detail.data.node.id !== node || tree.loading || tree.nodes.size === 0) return;
    const hidden = detail.data.path.some((above) => !tree.expanded.has(above.id));
    if (hidden) void tree.reveal(detail.data);
  }, [detail.data?.node.id, node, tree.loading, tree.nodes.size === 0]);
  useEffect(() => {
    if (strategy && tree.error === null && tree.nodes.size > 0 && !tree.loading) rememberGame(strategy, game);
  }, [strategy, tree.loading]);

  if (info.error) return null; // the line above says why
  const panels: Record<TabKey, () => preact.JSX.Element> = {
    node: () => (
      <NodePanel detail={detail} onChoose={(id) => go({ node: id })} onCut={(next) => go({ cut: next })} />
    ),
    strategy: () => (
      <StrategyTable game={game} strategy={strategy} onShow={(set) => void showSet(set).catch(notifyError)} />
    ),
    solve: () => (
      <SolvePanel
        game={game}
        games={games}
        started={solveJob}
        setStarted={setSolveJob}
        onSolved={(file) => go({ strategy: file })}
      />
    ),
    resolve: () => (
      <ResolvePanel
        game={game}
        games={games}
        strategy={strategy}
        strategies={strategies.all}
        cut={cut}
        cuts={info.data?.cuts ?? []}
        cutInfo={tree.cut}
        started={resolveJob}
        setStarted={setResolveJob}
        onCut={(next) => go({ cut: next })}
        onShow={(set, file) => void showSet(set, file).catch(notifyError)}
      />
    ),
  };
  return (
    <div class="workbench">
      <section class="panel lab-tree" aria-label="Tree" ref={place}>
        {tree.error && <TreeError error={tree.error} retry={tree.retry} {...{ strategy, cut, go }} />}
        <TreeView
          tree={tree}
          chosen={node}
          onChoose={(id) => go({ node: id })}
          tools={
            <>
              <StrategyField
                strategy={strategy}
                strategies={strategies}
                onChoose={(file) => go({ strategy: file })}
              />
              <div class="tool">
                <CutField
                  cut={cut}
                  cuts={info.data?.cuts ?? []}
                  onCut={(next) => go({ cut: next })}
                  testid="cut"
                />
              </div>
            </>
          }
        />
        {tree.cut && <p class="small-text num" data-testid="cut-info">{tree.cut.text}</p>}
        {tree.loading && <Spinner />}
      </section>
      <section class="panel lab-side" aria-label="Details">
        <Tabs
          label="Details"
          chosen={tab}
          onChoose={(key) => go({ tab: key === "node" ? undefined : key })}
          tabs={[
            { key: "node", label: "History", testid: "lab-node-open" },
            { key: "strategy", label: "Strategy", testid: "lab-strategy-open" },
            { key: "solve", label: "Solve", testid: "lab-solve-open" },
            { key: "resolve", label: "Re-solve", testid: "lab-resolve-open" },
          ]}
        >
          {panels[tab]?.() ?? null}
        </Tabs>
      </section>
    </div>
  );
}

interface TreeErrorProps {
  error: Error;
  retry: () => void;
  strategy: string;
  cut: string;
  go: (change: Record<string, string | undefined>) => void;
}

function TreeError({ error, retry, strategy, cut, go }: TreeErrorProps) {
  return (
    <Notice kind="bad">
      <span>{error.message}</span>
      <span class="row">
        {strategy && (
          <button type="button" class="button small" onClick={() => go({ strategy: undefined })}>
            Without the strategy
          </button>
        )}
        {cut && (
          <button type="button" class="button small" onClick={() => go({ cut: undefined })}>
            Without the cut
          </button>
        )}
        <button type="button" class="button small" onClick={retry}>
          Try again
        </button>
      </span>
    </Notice>
  );
}

interface Strategies {
  known: string[]; // of this game
  others: string[];
  all: string[];
}

// Files of strategies; those that are known to belong to the game first.
function useStrategies(files: FileEntry[], game: string): Strategies {
  const names = files.filter((file) => file.kind === "strategy").map((file) => file.file);
  const [known, setKnown] = useState<string[]>([]);
  const key = names.join("\n");
  useEffect(() => {
    let wanted = true;
    const histories = new Set(files.filter((file) => file.kind === "history").map((file) => file.file));
    void Promise.all(
      names.slice(0, 200).map((name) => gameOfStrategy(name, jobs.get(), histories)),
    ).then((found) => wanted && setKnown(names.filter((_, at) => found[at] === game)));
    return () => {
      wanted = false;
    };
  }, [key, game]);
  const others = names.filter((name) => !known.includes(name));
  return { known, others, all: [...known, ...others] };
}

interface StrategyFieldProps {
  strategy: string;
  strategies: Strategies;
  onChoose: (file: string) => void;
}

function StrategyField({ strategy, strategies, onChoose }: StrategyFieldProps) {
  const option = (name: string) => (
    <option key={name} value={name}>
      {name}
    </option>
  );
  return (
    <div class="tool">
      <Field label="Strategy">
        <select
          data-testid="lab-strategy"
          value={strategy}
          onChange={(event) => onChoose(event.currentTarget.value)}
        >
          <option value="">none</option>
          {strategy && !strategies.all.includes(strategy) && option(strategy)}
          {strategies.known.length > 0 && (
            <optgroup label="Of this game">{strategies.known.map(option)}</optgroup>
          )}
          {strategies.others.length > 0 && (
            <optgroup label="Others">{strategies.others.map(option)}</optgroup>
          )}
        </select>
      </Field>
    </div>
  );
}
