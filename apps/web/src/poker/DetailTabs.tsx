// Beside the grid: the hands of a cell, all hands, the ranges' equities, and at deals the runouts.
import { useEffect, useState } from "preact/hooks";
import { combos, ev, percent } from "../format";
import type { NodeReply } from "../types";
import { Tabs } from "../ui";
import { actionPaints, mixGradient } from "./colours";
import { EquityChart } from "./EquityChart";
import { AllHands, CellHands } from "./HandsTable";
import { stemOf } from "./names";
import { RunoutTable } from "./Runouts";
import { useRunouts } from "./useNode";
import { mixWords, type View } from "./views";

interface Props {
  node: NodeReply;
  file: string;
  player: 0 | 1;
  view: View;
  cell: number;
  onGo: (line: string) => void;
}

type Tab = "runouts" | "cell" | "all" | "chart";

export function DetailTabs(props: Props) {
  const { node, file, player, cell } = props;
  const deal = node.kind === "deal";
  const [wanted, setWanted] = useState<Tab | null>(null);
  // At a deal the runouts come first, elsewhere the cell.
  const usual: Tab = deal && props.view === "strategy" ? "runouts" : "cell";
  const chosen = wanted === null || (wanted === "runouts" && !deal) ? usual : wanted;
  useEffect(() => {
    setWanted((before) => (before === "runouts" || before === "cell" ? null : before));
  }, [node.node]);
  const name = node.players[player].cells[cell]?.name ?? "";
  const tabs = [
    ...(deal ? [{ key: "runouts", label: "Runouts", testid: "tab-runouts" }] : []),
    { key: "cell", label: <span class="tab-cell">{name}</span>, testid: "tab-cell" },
    { key: "all", label: "All hands", testid: "tab-all" },
    { key: "chart", label: "Equity chart", testid: "tab-chart" },
  ];
  const stem = `${stemOf(file).replace(/\//g, "-")}-${node.players[player].name.toLowerCase()}`;
  return (
    <section class="panel tight-panel detail" aria-label="Details">
      <Tabs tabs={tabs} chosen={chosen} onChoose={(key) => setWanted(key as Tab)} label="Details">
        {chosen === "runouts" && <DealRunouts {...props} />}
        {chosen === "cell" && (
          <div class="stack">
            <CellHead node={node} player={player} cell={cell} />
            <CellHands node={node} player={player} cell={cell} />
          </div>
        )}
        {chosen === "all" && <AllHands node={node} player={player} name={stem} />}
        {chosen === "chart" && <EquityChart node={node} />}
      </Tabs>
    </section>
  );
}

function DealRunouts({ node, file, onGo }: Props) {
  const runouts = useRunouts(file, node.node);
  return <RunoutTable node={node} runouts={runouts} onGo={onGo} />;
}

function CellHead({ node, player, cell }: { node: NodeReply; player: 0 | 1; cell: number }) {
  const of = node.players[player].cells[cell];
  if (!of || of.reach === 0) return null;
  const acts = node.kind === "decision" && node.player === player;
  return (
    <div class="cell-head">
      {acts && (
        <div
          class="range-bar thin"
          style={{ background: mixGradient(of.mix, actionPaints(node.actions)) }}
          aria-hidden="true"
        />
      )}
      <p class="small-text num" data-testid="cell-words">
        <strong>{of.name}</strong> {combos(of.reach)} of {of.possible} combos · equity {percent(of.equity)} ·
        EV {ev(of.ev)}
        {acts && ` · ${mixWords(node, of.mix)}`}
      </p>
    </div>
  );
}
