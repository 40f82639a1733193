// Where a card is dealt: every card with what follows, as a map of all cards and as a table.
import { useMemo, useState } from "preact/hooks";
import type { NodeReply, RunoutsReply } from "../types";
import { Button, ErrorNotice, Spinner } from "../ui";
import { CardPicker, type CardLook } from "./CardPicker";
import { heat } from "./colours";
import { SortHead } from "./HandsTable";
import { HeatBar } from "./Legend";
import { CardText, download } from "./parts";
import { endsOf, quantitiesOf, sortedRunouts, type Quantity, type Runout } from "./runouts";
import { below, type Asked } from "./useNode";

interface Props {
  node: NodeReply;
  runouts: Asked<RunoutsReply>;
  onGo: (line: string) => void;
}

const NAMES = ["OOP", "IP"];

// The map: each card in the colour of the chosen number. A click deals it.
export function RunoutMap({ node, runouts, onGo }: Props) {
  const [chosen, setChosen] = useState("ev-0");
  const reply = runouts.current ? runouts.data : null;
  const quantities = useMemo(() => (reply ? quantitiesOf(reply) : []), [reply]);
  const quantity = quantities.find((one) => one.key === chosen) ?? quantities[1];
  const looks = useMemo(() => looksOf(node, reply, quantity), [node, reply, quantity]);
  return (
    <section class="stack" aria-label="Cards that can be dealt">
      <div class="row between">
        <h2>{node.street === "flop" ? "Turn" : "River"} card</h2>
        <label class="row small-text">
          Colour
          <select
            class="inline-select"
            value={quantity?.key ?? ""}
            disabled={!reply}
            data-testid="runout-quantity"
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            {quantities.map((one) => (
              <option key={one.key} value={one.key}>
                {one.key.startsWith("action") ? `${NAMES[reply?.player ?? 0]} ${one.title}` : one.title}
              </option>
            ))}
          </select>
        </label>
      </div>
      <CardPicker
        label="Deal a card"
        disabled={(card) => !looks.has(card)}
        look={(card) => looks.get(card)}
        onPick={(card) => onGo(below(node.node, card))}
        testid="deal"
      />
      {reply && quantity && <MapLegend reply={reply} quantity={quantity} node={node} />}
      {runouts.error && <ErrorNotice error={runouts.error} />}
      {!reply && !runouts.error && <Spinner label="Counting all cards" />}
    </section>
  );
}

function looksOf(
  node: NodeReply,
  reply: RunoutsReply | null,
  quantity: Quantity | undefined,
): Map<string, CardLook> {
  const looks = new Map<string, CardLook>();
  const [low, high] = reply && quantity ? endsOf(reply, quantity) : [0, 0];
  const byCard = new Map(reply?.runouts.flatMap((one) => one.cards.map((card) => [card, one] as const)));
  for (const cards of node.cards) {
    for (const card of cards) {
      const same =
        cards.length > 1 ? `plays the same as ${cards.filter((one) => one !== card).join(" ")}` : "";
      const runout = byCard.get(card);
      if (!runout || !quantity) {
        looks.set(card, { same: cards.length > 1, label: same });
        continue;
      }
      const value = quantity.value(runout);
      const text = quantity.write(value);
      looks.set(card, {
        paint: heat(high > low ? (value - low) / (high - low) : 0.5),
        text: text.replace("%", ""),
        same: cards.length > 1,
        label: [`${quantity.title} ${text}`, same].filter(Boolean).join(", "),
      });
    }
  }
  return looks;
}

function MapLegend({ reply, quantity, node }: { reply: RunoutsReply; quantity: Quantity; node: NodeReply }) {
  const [low, high] = endsOf(reply, quantity);
  const alike = node.cards.some((cards) => cards.length > 1);
  const chips = quantity.key.startsWith("ev") ? " in chips" : "";
  return (
    <div class="legend small-text">
      <HeatBar low={quantity.write(low)} high={quantity.write(high)} label={quantity.title} />
      <span class="muted">
        {quantity.title}
        {chips}. A click deals the card.
        {alike && " Cards with a dot play the same as another suit of their rank."}
      </span>
    </div>
  );
}

export function RunoutTable({ node, runouts, onGo }: Props) {
  const [sort, setSort] = useState({ key: "", down: true });
  const reply = runouts.current ? runouts.data : null;
  const quantities = useMemo(() => (reply ? quantitiesOf(reply) : []), [reply]);
  if (runouts.error) return <ErrorNotice error={runouts.error} />;
  if (!reply) return <Spinner label="Counting all cards" />;
  const rows = sortedRunouts(
    reply,
    quantities.find((one) => one.key === sort.key),
    sort.down,
  );
  function choose(key: string) {
    setSort((before) => ({ key, down: before.key === key ? !before.down : true }));
  }
  return (
    <div class="stack">
      <div class="row between">
        <p class="muted small-text">
          {reply.actions.length > 0
            ? `A card is dealt here; ${NAMES[reply.player]} acts next.`
            : "A card is dealt here; nothing is left to bet."}
        </p>
        <Button
          small
          testid="export-runouts"
          onClick={() => download("runouts.csv", "text/csv", csvOf(reply, quantities))}
        >
          Export as CSV
        </Button>
      </div>
      <div class="hands-scroll" tabIndex={0} role="region" aria-label="Runouts">
        <table class="tight hands runouts">
          <thead>
            <tr>
              <SortHead
                title="Card"
                id="hand"
                sort={{ ...sort, key: sort.key || "hand" }}
                onSort={() => choose("")}
              />
              {quantities.map((one) => (
                <SortHead key={one.key} title={one.title} id={one.key} sort={sort} onSort={choose} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((runout) => (
              <RunoutRow
                key={runout.cards[0]}
                runout={runout}
                quantities={quantities}
                onGo={(card) => onGo(below(node.node, card))}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function RunoutRow(props: { runout: Runout; quantities: Quantity[]; onGo: (card: string) => void }) {
  const { runout, quantities, onGo } = props;
  return (
    <tr data-testid={`runout-${runout.cards[0]}`}>
      <td class="hand-name">
        {runout.cards.map((card) => (
          <button
            key={card}
            type="button"
            class="link-card"
            title={`Deal ${card}`}
            onClick={() => onGo(card)}
          >
            <CardText card={card} />
          </button>
        ))}
      </td>
      {quantities.map((one) => (
        <td key={one.key} class="num" data-col={one.key}>
          {one.write(one.value(runout))}
        </td>
      ))}
    </tr>
  );
}

function csvOf(reply: RunoutsReply, quantities: Quantity[]): string {
  const lines = [["cards", ...quantities.map((one) => one.title)].join(",")];
  for (const runout of reply.runouts) {
    lines.push([runout.cards.join(" "), ...quantities.map((one) => one.value(runout))].join(","));
  }
  return `${lines.join("\n")}\n`;
}
