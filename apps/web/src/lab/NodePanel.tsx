// One history in detail: how it came about, its information set, what is played there and what it is worth.
import { general, percent } from "../format";
import type { GameNode, TreeNode } from "../types";
import { Button, ErrorNotice, Spinner, type Fetched } from "../ui";
import { ActionBars, PlayerChip } from "./bars";

interface Props {
  detail: Fetched<GameNode>;
  onChoose: (id: number) => void;
  onCut: (cut: string) => void;
}

export function NodePanel({ detail, onChoose, onCut }: Props) {
  const { data, error, reload } = detail;
  if (error) return <ErrorNotice error={error} retry={reload} />;
  if (!data) return <Spinner />;
  return (
    <div class="stack node-panel" data-testid="node-panel">
      <Path data={data} onChoose={onChoose} />
      <Facts node={data.node} />
      {data.infoset && <InfosetPart data={data} onChoose={onChoose} />}
      {data.payoff && <Payoff payoff={data.payoff} />}
      {data.node.player === 2 && <ChancePart children={data.children} data={data} onChoose={onChoose} />}
      {data.node.num_children > 0 && data.node.parent >= 0 && (
        <div class="row">
          <Button small onClick={() => onCut(`history:${steps(data).join("/")}`)}>
            Cut here
          </Button>
          <span class="muted small-text">makes a subgame of what follows</span>
        </div>
      )}
    </div>
  );
}

function steps(data: GameNode): string[] {
  return [...data.path, data.node].slice(1).map((node) => node.action);
}

function Path({ data, onChoose }: { data: GameNode; onChoose: (id: number) => void }) {
  return (
    <nav class="path" aria-label="The way to this history" data-testid="node-path">
      {data.path.map((node) => (
        <span key={node.id}>
          <button type="button" class="link-button" onClick={() => onChoose(node.id)}>
            {node.action || "start"}
          </button>
          <span class="muted" aria-hidden="true">
            {" "}
            ›{" "}
          </span>
        </span>
      ))}
      <strong aria-current="true">{data.node.action || "start"}</strong>
    </nav>
  );
}

function Facts({ node }: { node: TreeNode }) {
  return (
    <div class="row">
      <PlayerChip player={node.player} />
      {node.subgame >= 0 && <span class="chip">subgame {node.subgame + 1}</span>}
      {node.reach !== null && <span class="small-text num">reached {percent(node.reach, 2)}</span>}
      {node.value !== null && node.player !== 3 && (
        <span class="small-text num">value to player 1 {general(node.value, 6)}</span>
      )}
    </div>
  );
}

function InfosetPart({ data, onChoose }: { data: GameNode; onChoose: (id: number) => void }) {
  const set = data.infoset;
  if (!set) return null;
  return (
    <>
      <div>
        <h3>
          Information set <code class="set-label">{set.label || "(no name)"}</code>
        </h3>
        <p class="muted small-text">
          {set.size === 1
            ? "One history: who acts knows exactly where the game stands."
            : `${set.size} histories that player ${set.player + 1} cannot tell apart.`}
        </p>
      </div>
      <ActionBars
        actions={set.actions}
        mix={set.strategy}
        values={set.action_values}
        onChoose={(at) => {
          const child = data.children[at];
          if (child) onChoose(child.id);
        }}
      />
      {set.value !== null && <Values set={set} />}
      {set.strategy === null && (
        <p class="muted small-text">
          Solve the game, or choose a strategy above the tree, to see what is played.
        </p>
      )}
      <Members data={data} onChoose={onChoose} />
    </>
  );
}

function Values({ set }: { set: NonNullable<GameNode["infoset"]> }) {
  return (
    <dl class="fact-list small-text">
      <dt>Value here</dt>
      <dd class="num">{general(set.value ?? 0, 6)}</dd>
      {set.best_response !== null && (
        <>
          <dt>Best response</dt>
          <dd class="num">
            {general(set.best_response, 6)}{" "}
            <span class="muted">(gains {general(Math.max(0, set.best_response - (set.value ?? 0)), 3)})</span>
          </dd>
        </>
      )}
      {set.reach !== null && (
        <>
          <dt>Own reach</dt>
          <dd class="num">{percent(set.reach, 2)}</dd>
        </>
      )}
    </dl>
  );
}

function Members({ data, onChoose }: { data: GameNode; onChoose: (id: number) => void }) {
  const set = data.infoset;
  if (!set || set.size < 2) return null;
  return (
    <details open={set.members.length <= 8}>
      <summary>
        {set.members.length < set.size ? `First ${set.members.length} of` : "All"} {set.size} histories
      </summary>
      <ul class="members">
        {set.members.map((member) => (
          <li key={member.id}>
            <button
              type="button"
              class="link-button"
              aria-current={member.id === data.node.id ? "true" : undefined}
              onClick={() => onChoose(member.id)}
            >
              {member.path || "start"}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ChancePart(props: { children: TreeNode[]; data: GameNode; onChoose: (id: number) => void }) {
  const all = props.data.node.num_children;
  return (
    <>
      <h3>Chance</h3>
      <table>
        <thead>
          <tr>
            <th>Event</th>
            <th class="num">Probability</th>
            <th class="num">Value to player 1</th>
          </tr>
        </thead>
        <tbody>
          {props.children.map((child) => (
            <tr key={child.id}>
              <td>
                <button type="button" class="link-button" onClick={() => props.onChoose(child.id)}>
                  {child.action}
                </button>
              </td>
              <td class="num">{child.probability === null ? "" : percent(child.probability, 2)}</td>
              <td class="num">{child.value === null ? "" : general(child.value, 4)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {props.children.length < all && (
        <p class="muted small-text">
          The first {props.children.length} of {all}.
        </p>
      )}
    </>
  );
}

function Payoff({ payoff }: { payoff: [number, number] }) {
  return (
    <dl class="fact-list">
      <dt>Player 1 gets</dt>
      <dd class="num">{general(payoff[0], 6)}</dd>
      <dt>Player 2 gets</dt>
      <dd class="num">{general(payoff[1], 6)}</dd>
    </dl>
  );
}
