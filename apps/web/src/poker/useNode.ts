// A solution and its nodes, each asked for once.
import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import { onJobEnd } from "../shell/jobs";
import type { NodeReply, RunoutsReply, Solution } from "../types";

const MOST = 60; // answers that are kept: a node of a wide spot is a few hundred kilobytes
const kept = new Map<string, Promise<unknown>>();

function ask<T>(path: string, query: Record<string, string>): Promise<T> {
  const key = JSON.stringify([path, query]);
  const before = kept.get(key) as Promise<T> | undefined;
  kept.delete(key);
  const answer = before ?? get<T>(path, query);
  kept.set(key, answer); // newest last
  answer.catch(() => kept.delete(key));
  const oldest = kept.keys().next().value;
  if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
  return answer;
}

// Files were replaced or are gone.
export function forgetNodes(): void {
  kept.clear();
}

onJobEnd(forgetNodes);

export interface Asked<T> {
  data: T | null; // the last answer; stays while the next one comes
  error: Error | null;
  current: boolean; // whether `data` is what is asked for now
}

function useAsked<T>(path: string, query: Record<string, string> | null): Asked<T> {
  const key = query && JSON.stringify(query);
  const [state, setState] = useState<{ key: string | null; data: T | null; error: Error | null }>({
    key: null,
    data: null,
    error: null,
  });
  useEffect(() => {
    if (!query) return;
    let wanted = true;
    ask<T>(path, query).then(
      (data) => wanted && setState({ key, data, error: null }),
      (error: Error) => wanted && setState((before) => ({ ...before, key, error })),
    );
    return () => {
      wanted = false;
    };
  }, [path, key]);
  const current = state.key === key && state.error === null && state.data !== null;
  return { data: key === null ? null : state.data, error: state.key === key ? state.error : null, current };
}

export function useSolution(file: string | null): Asked<Solution> {
  return useAsked<Solution>("solution", file === null ? null : { file });
}
export function useNode(file: string | null, node: string): Asked<NodeReply> {
  return useAsked<NodeReply>("solution/node", file === null ? null : { file, node });
}
export function useRunouts(file: string | null, node: string | null): Asked<RunoutsReply> {
  return useAsked<RunoutsReply>("solution/runouts", file === null || node === null ? null : { file, node });
}

export function below(node: string, step: string): string {
  return node === "" ? step : `${node}/${step}`;
}
export function above(node: string): string {
  const cut = node.lastIndexOf("/");
  return cut < 0 ? "" : node.slice(0, cut);
}
