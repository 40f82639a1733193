// The line from the start to here, a column for each step with everything that could be done there.
import { useEffect, useRef } from "preact/hooks";
import { chips, percent } from "../format";
import type { ActionForm, NodeReply, PathStep } from "../types";
import { actionPaints, type Paint } from "./colours";
import { CardText, Swatch } from "./parts";
import { below } from "./useNode";

interface Props {
  node: NodeReply;
  locked: (line: string) => boolean;
  onGo: (line: string) => void;
  prefix?: string; // of test ids, where there are two
}

const NAMES = ["OOP", "IP"];

export function sizeWords(action: ActionForm): string {
  return action.pot_share > 0 ? percent(action.pot_share, 0) : "";
}

export function PathBar({ node, locked, onGo, prefix = "" }: Props) {
  const row = useRef<HTMLDivElement>(null);
  // The newest column is in sight.
  useEffect(() => {
    if (row.current) row.current.scrollLeft = row.current.scrollWidth;
  }, [node.node]);
  return (
    <nav class="path-bar" aria-label="Line of play" ref={row}>
      {node.path.map((step, place) =>
        step.kind === "deal" ? (
          <DealColumn key={step.node} step={step} place={place} onGo={onGo} prefix={prefix} />
        ) : (
          <StepColumn
            key={step.node}
            step={step}
            place={place}
            locked={locked(step.node)}
            onGo={onGo}
            prefix={prefix}
          />
        ),
      )}
      <HereColumn node={node} onGo={onGo} prefix={prefix} />
    </nav>
  );
}

interface ColumnProps {
  step: PathStep;
  place: number;
  onGo: (line: string) => void;
  prefix: string;
}

function StepColumn({ step, place, locked, onGo, prefix }: ColumnProps & { locked: boolean }) {
  const paints = actionPaints(step.actions);
  return (
    <div class="path-column">
      <button
        type="button"
        class="path-head"
        title={`Go back to before this decision on the ${step.street}`}
        data-testid={`${prefix}crumb-${place}`}
        onClick={() => onGo(step.node)}
      >
        <strong>{NAMES[step.player]}</strong>
        {locked && <LockSign />}
        <span class="muted num">{chips(step.pot)}</span>
      </button>
      {step.actions.map((action, a) => (
        <ActionButton
          key={action.text}
          action={action}
          paint={paints[a]}
          taken={action.text === step.taken}
          testid={`${prefix}crumb-${place}-action-${a}`}
          onClick={() => onGo(below(step.node, action.text))}
        />
      ))}
    </div>
  );
}

function DealColumn({ step, place, onGo, prefix }: ColumnProps) {
  return (
    <div class="path-column deal">
      <button
        type="button"
        class="path-head"
        title="Choose another card"
        data-testid={`${prefix}crumb-${place}`}
        onClick={() => onGo(step.node)}
      >
        <strong>{step.street === "flop" ? "Turn" : "River"}</strong>
        <span class="muted num">{chips(step.pot)}</span>
      </button>
      <button type="button" class="path-card" title="Choose another card" onClick={() => onGo(step.node)}>
        <CardText card={step.taken} />
      </button>
    </div>
  );
}

function HereColumn({
  node,
  onGo,
  prefix,
}: {
  node: NodeReply;
  onGo: (line: string) => void;
  prefix: string;
}) {
  const paints = actionPaints(node.actions);
  const titles: Record<NodeReply["kind"], string> = {
    decision: NAMES[node.player] ?? "",
    deal: node.street === "flop" ? "Turn" : "River",
    fold: "End",
    showdown: "End",
  };
  return (
    <div class="path-column here" aria-current="step">
      <span class="path-head">
        <strong>{titles[node.kind]}</strong>
        {node.locked && <LockSign />}
        <span class="muted num">{chips(node.pot)}</span>
      </span>
      {node.actions.map((action, a) => (
        <ActionButton
          key={action.text}
          action={action}
          paint={paints[a]}
          share={node.frequencies[a]}
          testid={`${prefix}action-${a}`}
          onClick={() => onGo(below(node.node, action.text))}
        />
      ))}
      {node.kind === "deal" && <span class="path-note">choose a card</span>}
      {node.kind === "fold" && <span class="path-note">{NAMES[node.player]} folded</span>}
      {node.kind === "showdown" && (
        <span class="path-note">
          {node.street === "river" ? "showdown" : "all-in, over all cards to come"}
        </span>
      )}
    </div>
  );
}

interface ActionProps {
  action: ActionForm;
  paint: Paint | undefined;
  taken?: boolean;
  share?: number;
  testid: string;
  onClick: () => void;
}

function ActionButton({ action, paint, taken, share, testid, onClick }: ActionProps) {
  return (
    <button
      type="button"
      class={`path-action${taken ? " taken" : ""}`}
      aria-current={taken ? "true" : undefined}
      title={sizeWords(action) && `${sizeWords(action)} of the pot`}
      data-testid={testid}
      onClick={onClick}
    >
      <Swatch paint={paint} />
      <span class="path-text">{action.text}</span>
      {share !== undefined && <span class="muted num path-share">{percent(share)}</span>}
    </button>
  );
}

export function LockSign() {
  return (
    <span class="lock-sign" title="This strategy is fixed">
      locked
    </span>
  );
}
