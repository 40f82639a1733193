// Strategies of any game as bars.
import { general, percent } from "../format";

// Poker's actions have their colours; other names take them in turn.
const BY_NAME: [RegExp, string][] = [
  [/^fold/i, "fold"],
  [/^(check|call|pass)/i, "check"],
  [/^all-?in/i, "allin"],
];
const IN_TURN = ["bet-1", "bet-3", "bet-2", "bet-4", "allin"];
const OTHERS = ["check", "bet-2", "fold", "bet-4", "bet-1", "bet-3", "allin"];

export function actionColours(actions: readonly string[]): string[] {
  const poker = actions.some((action) => /^(fold|check|call|bet|raise|all-?in)/i.test(action));
  let next = 0;
  return actions.map((action, at) => {
    if (!poker) return OTHERS[at % OTHERS.length] as string;
    const found = BY_NAME.find(([pattern]) => pattern.test(action));
    return found ? found[1] : (IN_TURN[next++ % IN_TURN.length] as string);
  });
}

// "bet2 31%" where the narrowest bar that is drawn has room for it, else the number, else nothing.
function barWords(action: string, share: number): string {
  const letters = (share * 250 - 8) / 7;
  const number = percent(share, 0);
  const whole = `${action} ${number}`;
  return whole.length <= letters ? whole : number.length <= letters ? number : "";
}

// One bar of all actions, with their names where there is room.
export function MixBar({ actions, mix }: { actions: readonly string[]; mix: readonly number[] }) {
  const colours = actionColours(actions);
  const words = actions.map((action, at) => `${action} ${percent(mix[at] ?? 0)}`).join(", ");
  return (
    <span class="mix-bar" role="img" aria-label={words} title={words}>
      {actions.map((action, at) => {
        const share = mix[at] ?? 0;
        if (share <= 0) return null;
        return (
          <span
            key={action}
            style={{
              width: `${100 * share}%`,
              background: `var(--action-${colours[at]})`,
              color: `var(--on-action-${colours[at]})`,
            }}
          >
            {barWords(action, share)}
          </span>
        );
      })}
    </span>
  );
}

interface BarsProps {
  actions: readonly string[];
  mix: readonly number[] | null;
  values?: readonly number[] | null;
  onChoose?: (action: number) => void; // goes down that way
}

// One bar for each action, with its share and value; the best value is marked.
export function ActionBars({ actions, mix, values, onChoose }: BarsProps) {
  const colours = actionColours(actions);
  const best = values ? Math.max(...values) : null;
  return (
    <table class="mix-table">
      <thead>
        <tr>
          <th>Action</th>
          {mix && <th>How often</th>}
          {values && <th class="num">Value</th>}
        </tr>
      </thead>
      <tbody>
        {actions.map((action, at) => (
          <tr key={action}>
            <td>
              {onChoose ? (
                <button type="button" class="link-button" onClick={() => onChoose(at)}>
                  {action}
                </button>
              ) : (
                action
              )}
            </td>
            {mix && (
              <td>
                <span class="share-line">
                  <span class="share-ground">
                    <span
                      style={{
                        width: `${100 * (mix[at] ?? 0)}%`,
                        background: `var(--action-${colours[at]})`,
                      }}
                    />
                  </span>
                  <span class="num">{percent(mix[at] ?? 0)}</span>
                </span>
              </td>
            )}
            {values && (
              <td class="num">
                {general(values[at] ?? 0, 4)}
                {best !== null && (values[at] ?? -Infinity) >= best - 1e-12 && (
                  <span class="best-mark" title="The best action against the other's strategy">
                    {" "}
                    best
                  </span>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function PlayerChip({ player }: { player: number }) {
  const names = ["Player 1", "Player 2", "Chance", "End"];
  return <span class={`chip player-chip by-${player}`}>{names[player]}</span>;
}
