// What re-solving did: exploitability before and after for each method, and what plays otherwise.
import { useState } from "preact/hooks";
import { general, grouped, seconds } from "../format";
import type { Change, ResolveResult } from "../types";
import { Notice } from "../ui";
import { MixBar, PlayerChip } from "./bars";

type MethodResult = ResolveResult["methods"][number];

interface Props {
  result: ResolveResult;
  onShow?: (infoset: number, strategy: string) => void; // in the tree
}

export function ResolveView({ result, onShow }: Props) {
  const [chosen, setChosen] = useState<string | null>(null);
  const method = result.methods.find((one) => one.method === chosen) ?? best(result);
  return (
    <div class="stack" data-testid="resolve-result">
      <h3>Exploitability of the whole strategy</h3>
      <Comparison result={result} chosen={method?.method ?? null} choose={setChosen} />
      <p class="muted small-text num">
        {result.cut.text}. Lower is better; a safe method never makes it worse, up to the error of solving.
      </p>
      {method && <Changes result={result} method={method} onShow={onShow} />}
    </div>
  );
}

function best(result: ResolveResult): MethodResult | undefined {
  return [...result.methods].sort((a, b) => a.exploitability - b.exploitability)[0];
}

interface ComparisonProps {
  result: ResolveResult;
  chosen: string | null;
  choose: (method: string) => void;
}

function Comparison({ result, chosen, choose }: ComparisonProps) {
  const all = [result.before, ...result.methods].map((one) => one.exploitability);
  // One that is far worse must not make all the others look alike: its bar is cut off.
  const most = Math.min(Math.max(...all), 2.5 * result.before.exploitability || Infinity);
  const least = best(result)?.exploitability;
  return (
    <div class="scroll-x">
      <table class="comparison">
        <thead>
          <tr>
            <th>Method</th>
            <th class="num">Exploitability</th>
            <th class="num">Time</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              before
              <Bar value={result.before.exploitability} most={most} kind="before" />
            </td>
            <td class="num" data-testid="result-before">
              {general(result.before.exploitability, 6)}
            </td>
            <td />
          </tr>
          {result.methods.map((one) => (
            <tr key={one.method} class={one.method === chosen ? "chosen" : ""}>
              <td>
                <span class="row">
                  <button
                    type="button"
                    class="link-button"
                    aria-pressed={one.method === chosen}
                    title="What plays otherwise"
                    onClick={() => choose(one.method)}
                  >
                    {one.method}
                  </button>
                  <span class={`chip ${one.safe ? "good" : "warn"}`} title={one.condition}>
                    {one.safe ? "safe" : "not safe"}
                  </span>
                  {one.exploitability === least && <span class="chip accent">lowest</span>}
                </span>
                <Bar
                  value={one.exploitability}
                  most={most}
                  kind={one.exploitability <= result.before.exploitability ? "better" : "worse"}
                />
              </td>
              <td class="num">
                <span data-testid={`result-${one.method}`}>{general(one.exploitability, 6)}</span>
                <ChangeShare before={result.before.exploitability} after={one.exploitability} />
              </td>
              <td class="num muted">{seconds(one.seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Bar({ value, most, kind }: { value: number; most: number; kind: string }) {
  const share = most > 0 ? Math.min(1, Math.max(0.004, value / most)) : 0;
  return (
    <span class="result-bar" aria-hidden="true">
      <span class={value > most ? `${kind} cut-off` : kind} style={{ width: `${100 * share}%` }} />
    </span>
  );
}

function ChangeShare({ before, after }: { before: number; after: number }) {
  if (before <= 0) return null;
  const share = (after - before) / before;
  const percent = `${share > 0 ? "+" : "−"}${general(Math.abs(100 * share), 3)}%`;
  const text = share > 1 ? `${general(after / before, 3)} times as much` : percent;
  return <span class={`result-change small-text ${share <= 0 ? "good" : "bad"}`}>{text}</span>;
}

interface ChangesProps extends Props {
  method: MethodResult;
}

function Changes({ result, method, onShow }: ChangesProps) {
  if (method.changed === 0) {
    return <Notice>{method.method}: no information set plays otherwise by more than 0.001.</Notice>;
  }
  return (
    <div class="stack">
      <h3>What {method.method} changed</h3>
      <p class="muted small-text num">
        {grouped(method.changed)} information {method.changed === 1 ? "set plays" : "sets play"} otherwise
        {method.changes.length < method.changed && `; the ${method.changes.length} that changed most`}. Upper
        bar: before, lower bar: after.
      </p>
      <ul class="change-list">
        {method.changes.map((change) => (
          <ChangeRow
            key={change.id}
            change={change}
            onShow={onShow && (() => onShow(change.id, method.strategy))}
          />
        ))}
      </ul>
      <p class="muted small-text">
        Saved as {method.strategy}; before: {result.trunk}.
      </p>
    </div>
  );
}

function ChangeRow({ change, onShow }: { change: Change; onShow?: () => void }) {
  const body = (
    <>
      <span class="change-head">
        <PlayerChip player={change.player} />
        <code>{change.label}</code>
        <span class="muted num small-text">moved {general(100 * change.distance, 3)}%</span>
      </span>
      <MixBar actions={change.actions} mix={change.before} />
      <MixBar actions={change.actions} mix={change.after} />
    </>
  );
  return (
    <li>
      {onShow ? (
        <button type="button" class="change-row" title="Show it in the tree" onClick={onShow}>
          {body}
        </button>
      ) : (
        <div class="change-row">{body}</div>
      )}
    </li>
  );
}
