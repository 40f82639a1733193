// The quantities of a runout report.
import { ev, percent } from "../format";
import type { RunoutsReply } from "../types";

export type Runout = RunoutsReply["runouts"][number];

export interface Quantity {
  key: string;
  title: string;
  value: (runout: Runout) => number;
  write: (value: number) => string;
}

const share = (value: number) => percent(value);

// In the order of the table that `cleave show` prints.
export function quantitiesOf(reply: RunoutsReply): Quantity[] {
  const sides = ["OOP", "IP"].flatMap((name, player): Quantity[] => [
    {
      key: `equity-${player}`,
      title: `${name} equity`,
      value: (one) => one.equity[player as 0 | 1],
      write: share,
    },
    { key: `ev-${player}`, title: `${name} EV`, value: (one) => one.ev[player as 0 | 1], write: ev },
  ]);
  const actions = reply.actions.map((action, a): Quantity => ({
    key: `action-${a}`,
    title: action.text,
    value: (one) => one.frequencies[a] ?? 0,
    write: share,
  }));
  return [...sides, ...actions];
}

export function endsOf(reply: RunoutsReply, quantity: Quantity): [number, number] {
  const values = reply.runouts.map(quantity.value);
  return [Math.min(...values), Math.max(...values)];
}

export function sortedRunouts(reply: RunoutsReply, quantity: Quantity | undefined, down: boolean): Runout[] {
  if (!quantity) return reply.runouts;
  const sign = down ? -1 : 1;
  return [...reply.runouts].sort((a, b) => sign * (quantity.value(a) - quantity.value(b)));
}
