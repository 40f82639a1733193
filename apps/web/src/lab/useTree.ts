// The histories of a game that are known here so far. Children come when they are asked for.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api";
import { noteError } from "../shell/server";
import type { CutInfo, GameNode, TreeNode, TreeReply } from "../types";

export interface Question {
  game: string;
  cut: string; // "": none
  strategy: string; // a file; "": none
}

export interface Tree {
  nodes: Map<number, TreeNode>;
  children: Map<number, number[]>; // known ones, in order
  expanded: ReadonlySet<number>;
  cut: CutInfo | null;
  loading: boolean;
  error: Error | null;
  toggle: (id: number) => void;
  setExpanded: (ids: number[], open: boolean) => Promise<void>;
  reveal: (detail: GameNode) => Promise<void>; // opens the way to a history
  openLevel: () => Promise<void>;
  closeAll: () => void;
  retry: () => void;
}

const FIRST_DEPTH = 6;
const FIRST_ROWS = 44; // leaves shown at first
const MOST_SHOWN = 1500;
const LINE = 14; // levels that are opened on one line
const MOST_SIBLINGS = 60;

interface Known {
  nodes: Map<number, TreeNode>;
  children: Map<number, number[]>;
}

function add(known: Known, list: TreeNode[]): Known {
  const nodes = new Map(known.nodes);
  const children = new Map(known.children);
  for (const node of list) {
    nodes.set(node.id, node);
    if (node.parent < 0) continue;
    const siblings = children.get(node.parent) ?? [];
    if (!siblings.includes(node.id)) {
      children.set(node.parent, [...siblings, node.id].sort((a, b) => a - b));
    }
  }
  return { nodes, children };
}

function complete(known: Known, id: number): boolean {
  const node = known.nodes.get(id);
  return node !== undefined && (known.children.get(id)?.length ?? 0) >= node.num_children;
}

// Leaves of what would be shown.
function countRows(known: Known, expanded: ReadonlySet<number>, id: number): number {
  if (!expanded.has(id)) return 1;
  const below = known.children.get(id) ?? [];
  return Math.max(1, below.reduce((sum, child) => sum + countRows(known, expanded, child), 0));
}

// Level by level, as long as it stays readable.
function firstExpanded(known: Known): Set<number> {
  let expanded = new Set<number>();
  let level = [0];
  while (level.length > 0) {
    const open = level.filter((id) => complete(known, id) && (known.nodes.get(id)?.num_children ?? 0) > 0);
    if (open.length === 0) break;
    const next = new Set([...expanded, ...open]);
    if (expanded.size > 0 && countRows(known, next, 0) > FIRST_ROWS) break;
    expanded = next;
    level = open.flatMap((id) => known.children.get(id) ?? []);
  }
  return expanded;
}

// One line down to its end, so that there is something of every level to see.
async function openOneLine(
  known: Known,
  expanded: Set<number>,
  fetchBelow: (id: number) => Promise<TreeReply>,
): Promise<Known> {
  let id: number | undefined = 0;
  for (let step = 0; step < LINE && id !== undefined; step++) {
    if (!complete(known, id)) known = add(known, (await fetchBelow(id)).nodes);
    const below: number[] = known.children.get(id) ?? [];
    if (below.length > MOST_SIBLINGS) break;
    expanded.add(id);
    id = below.find((child) => (known.nodes.get(child)?.num_children ?? 0) > 0);
  }
  return known;
}

export function useTree(question: Question | null): Tree {
  const [known, setKnown] = useState<Known>({ nodes: new Map(), children: new Map() });
  const [expanded, setExpandedSet] = useState<ReadonlySet<number>>(new Set());
  const [cut, setCut] = useState<CutInfo | null>(null);
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [round, setRound] = useState(0);
  const now = useRef({ known, expanded, game: "" });
  now.current.known = known;
  now.current.expanded = expanded;
  const key = question && JSON.stringify(question);
  const latest = useRef(key);
  latest.current = key;

  const fetchBelow = useCallback(
    (root: number, depth: number, signal?: AbortSignal) =>
      get<TreeReply>(
        "game/tree",
        {
          game: question?.game,
          root,
          depth,
          cut: question?.cut || undefined,
          strategy: question?.strategy || undefined,
        },
        signal,
      ),
    [key],
  );

  function put(next: Known, open: ReadonlySet<number>) {
    now.current.known = next;
    now.current.expanded = open;
    setKnown(next);
    setExpandedSet(open);
  }

  useEffect(() => {
    if (!question) return;
    const stop = new AbortController();
    const sameGame = now.current.game === question.game;
    async function load() {
      setLoading(true);
      setError(null);
      try {
        const reply = await fetchBelow(0, FIRST_DEPTH, stop.signal);
        let fresh = add({ nodes: new Map(), children: new Map() }, reply.nodes);
        let open: Set<number>;
        if (sameGame && now.current.expanded.size > 0) {
          // What was open stays open: fetched again, parents (smaller numbers) first.
          open = new Set();
          for (const id of [...now.current.expanded].sort((a, b) => a - b)) {
            if (!fresh.nodes.has(id)) continue;
            if (!complete(fresh, id)) fresh = add(fresh, (await fetchBelow(id, 1, stop.signal)).nodes);
            open.add(id);
          }
        } else {
          open = firstExpanded(fresh);
          fresh = await openOneLine(fresh, open, (id) => fetchBelow(id, 2, stop.signal));
        }
        if (stop.signal.aborted) return;
        now.current.game = question?.game ?? "";
        setCut(reply.cut);
        put(fresh, open);
        setLoading(false);
      } catch (problem) {
        if (stop.signal.aborted) return;
        noteError(problem);
        setError(problem instanceof Error ? problem : new Error(String(problem)));
        setLoading(false);
      }
    }
    void load();
    return () => stop.abort();
  }, [key, round]);

  // Opens or closes nodes; fetches children that are not there.
  const setExpanded = useCallback(
    async (ids: number[], open: boolean) => {
      const asked = key;
      try {
        let next = now.current.known;
        if (open) {
          for (const id of ids) {
            if (!complete(next, id)) next = add(next, (await fetchBelow(id, 1)).nodes);
            if (latest.current !== asked) return;
          }
        }
        const set = new Set(now.current.expanded);
        for (const id of ids) {
          if (open && (next.nodes.get(id)?.num_children ?? 0) > 0) set.add(id);
          else set.delete(id);
        }
        put(open ? mergeKnown(now.current.known, next) : now.current.known, set);
      } catch (problem) {
        noteError(problem);
        setError(problem instanceof Error ? problem : new Error(String(problem)));
      }
    },
    [key],
  );

  const reveal = useCallback(
    async (detail: GameNode) => {
      const withPath = add(now.current.known, [...detail.path, detail.node]);
      put(withPath, now.current.expanded);
      await setExpanded(
        detail.path.map((node) => node.id),
        true,
      );
    },
    [setExpanded],
  );

  // All that is shown and closed, one level further; not beyond what can be drawn.
  const openLevel = useCallback(async () => {
    const { known: have, expanded: set } = now.current;
    const closed: number[] = [];
    let shown = 0;
    const walk = (id: number) => {
      shown++;
      if (set.has(id)) for (const child of have.children.get(id) ?? []) walk(child);
      else if ((have.nodes.get(id)?.num_children ?? 0) > 0) closed.push(id);
    };
    walk(0);
    const chosen: number[] = [];
    for (const id of closed) {
      shown += have.nodes.get(id)?.num_children ?? 0;
      if (shown > MOST_SHOWN || chosen.length >= 150) break;
      chosen.push(id);
    }
    await setExpanded(chosen, true);
  }, [setExpanded]);

  const toggle = useCallback(
    (id: number) => void setExpanded([id], !now.current.expanded.has(id)),
    [setExpanded],
  );
  const closeAll = useCallback(() => put(now.current.known, new Set([0])), []);
  const retry = useCallback(() => setRound((before) => before + 1), []);
  return {
    ...known,
    expanded,
    cut,
    loading,
    error,
    toggle,
    setExpanded,
    reveal,
    openLevel,
    closeAll,
    retry,
  };
}

function mergeKnown(a: Known, b: Known): Known {
  return a === b ? a : add(a, [...b.nodes.values()].filter((node) => !a.nodes.has(node.id)));
}
