// A range in both its shapes, text and weights; the server translates. Whichever was touched last leads.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, post } from "../api";
import type { RangeReply } from "../types";
import { emptyWeights, type Weights } from "./weights";

const TYPING = 200; // milliseconds of rest before the server is asked
const PAINTING = 120;

export interface RangeState {
  weights: Weights;
  error: string | null; // of the text
  // `joins`: goes on with the stroke before, so that both are undone at once.
  paint: (change: (weights: Weights) => Weights, joins?: boolean) => void;
  undo: (() => void) | null;
}

interface Painted {
  weights: Weights;
  of: string | null; // the text they belong to; null: the text is on its way
}

// Replies by text: moving between pages asks nothing twice.
const known = new Map<string, Weights>();

async function readText(text: string, signal: AbortSignal): Promise<Weights> {
  const before = known.get(text);
  if (before) return before;
  if (text.trim() === "") return emptyWeights();
  const reply = await post<RangeReply>("range", { text }, signal);
  if (known.size > 200) known.clear();
  known.set(text, reply.weights);
  return reply.weights;
}

async function writeText(weights: Weights, signal: AbortSignal): Promise<string> {
  if (weights.every((weight) => weight === 0)) return "";
  const reply = await post<RangeReply>("range", { weights }, signal);
  known.set(reply.text, reply.weights);
  return reply.text;
}

function messageOf(error: unknown): string | null {
  if (error instanceof DOMException && error.name === "AbortError") return null;
  return error instanceof ApiError || error instanceof Error ? error.message : String(error);
}

export function useRange(text: string, onText: (text: string) => void): RangeState {
  const [painted, setPainted] = useState<Painted>({ weights: known.get(text) ?? emptyWeights(), of: null });
  const [error, setError] = useState<string | null>(null);
  const [history, setHistory] = useState<Weights[]>([]);
  const leads = useRef<"text" | "weights">("text");
  // Strokes are faster than drawing: each builds on what the one before made.
  const latest = useRef(painted.weights);

  // The text was typed, or another spot was opened.
  useEffect(() => {
    if (painted.of === text) return;
    leads.current = "text";
    const stop = new AbortController();
    const timer = setTimeout(
      () =>
        readText(text, stop.signal).then(
          (weights) => {
            if (stop.signal.aborted || leads.current !== "text") return;
            latest.current = weights;
            setPainted({ weights, of: text });
            setError(null);
          },
          (problem) => setError(messageOf(problem)),
        ),
      known.has(text) ? 0 : TYPING,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);

  // Hands were painted.
  useEffect(() => {
    if (leads.current !== "weights" || painted.of !== null) return;
    const stop = new AbortController();
    const timer = setTimeout(
      () =>
        writeText(painted.weights, stop.signal).then(
          (written) => {
            if (stop.signal.aborted || leads.current !== "weights") return;
            setPainted({ weights: painted.weights, of: written });
            setError(null);
            onText(written);
          },
          (problem) => setError(messageOf(problem)),
        ),
      PAINTING,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [painted]);

  function show(weights: Weights) {
    leads.current = "weights";
    latest.current = weights;
    setPainted({ weights, of: null });
  }
  function paint(change: (weights: Weights) => Weights, joins = false) {
    if (leads.current === "weights" || painted.of === text) return paintNow(change, joins);
    // The text was typed a moment ago: hands are painted over what it says, not over what was there before.
    const go = (weights?: Weights) => {
      if (weights && leads.current === "text") latest.current = weights;
      paintNow(change, joins);
    };
    readText(text, new AbortController().signal).then(go, () => go());
  }
  function paintNow(change: (weights: Weights) => Weights, joins: boolean) {
    const before = latest.current;
    if (!joins) setHistory((all) => [...all.slice(-49), before]);
    show(change(before));
  }
  function undo() {
    const last = history.at(-1);
    if (!last) return;
    setHistory(history.slice(0, -1));
    show(last);
  }
  return { weights: painted.weights, error, paint, undo: history.length > 0 ? undo : null };
}
