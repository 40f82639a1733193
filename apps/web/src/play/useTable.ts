// One table: what the server says, what was done this hand, and what it cost.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, get, post } from "../api";
import { noteError } from "../shell/server";
import type { Table, TableAction } from "../types";

// A decision of yours, beside what the solution would have done.
export interface Decision {
  actions: TableAction[];
  chosen: number;
  lost: number | null; // chips against the best action; null where values are unknown
}

export interface TablePlay {
  table: Table | null;
  decisions: Decision[]; // of this hand
  lost: number; // over all hands since the page was opened
  error: Error | null;
  gone: boolean; // the server does not know the table any more
  busy: boolean;
  act: (action: number) => void;
  next: () => void;
  retry: () => void;
}

function decide(table: Table, chosen: number): Decision {
  const values = table.actions.map((action) => action.value);
  const taken = values[chosen];
  const known = values.filter((value): value is number => value !== null);
  const lost = taken == null || known.length < values.length ? null : Math.max(0, Math.max(...known) - taken);
  return { actions: table.actions, chosen, lost };
}

export function useTable(id: number): TablePlay {
  const [table, setTable] = useState<Table | null>(null);
  const [decisions, setDecisions] = useState<Decision[]>([]);
  const [lost, setLost] = useState(0);
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  const locked = useRef(false); // two quick keys must not act twice

  useEffect(() => {
    const stop = new AbortController();
    setError(null);
    get<Table>("play", { id }, stop.signal).then(setTable, (problem: Error) => {
      if (!stop.signal.aborted) setError(problem);
      noteError(problem);
    });
    return () => stop.abort();
  }, [id, round]);

  const send = useCallback(
    async (path: string, body: Record<string, unknown>) => {
      if (locked.current) return false;
      locked.current = true;
      setBusy(true);
      try {
        setTable(await post<Table>(path, { id, ...body }));
        setError(null);
        return true;
      } catch (problem) {
        noteError(problem);
        setError(problem instanceof Error ? problem : new Error(String(problem)));
        return false;
      } finally {
        locked.current = false;
        setBusy(false);
      }
    },
    [id],
  );

  const act = useCallback(
    async (action: number) => {
      if (!table || action >= table.actions.length) return;
      const decision = decide(table, action);
      if (!(await send("play/act", { action: table.actions[action]?.text }))) return;
      setDecisions((before) => [...before, decision]);
      setLost((before) => before + (decision.lost ?? 0));
    },
    [table, send],
  );
  const next = useCallback(async () => {
    if (!table?.finished || !(await send("play/next", {}))) return;
    setDecisions([]);
  }, [table, send]);
  return {
    table,
    decisions,
    // Told when the hand is over: before, it would be a hint.
    lost: table?.finished ? lost : lost - decisions.reduce((sum, one) => sum + (one.lost ?? 0), 0),
    error,
    gone: error instanceof ApiError && error.status === 404,
    busy,
    act: (action) => void act(action),
    next: () => void next(),
    retry: () => setRound((before) => before + 1),
  };
}
