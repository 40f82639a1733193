// The spot as the server reads and counts it, a moment after it was changed.
import { useEffect, useState } from "preact/hooks";
import { post } from "../api";
import type { SpotReply } from "../types";
import { draft, receiveForm } from "./draft";

const REST = 250; // milliseconds

export interface Check {
  reply: SpotReply | null; // the last good one
  error: string | null; // of the text as it stands
  current: boolean; // whether `reply` or `error` is about the text as it stands
}

export function useCheck(text: string): Check {
  const [state, setState] = useState<{ of: string | null; reply: SpotReply | null; error: string | null }>({
    of: null,
    reply: null,
    error: null,
  });
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(
      () =>
        post<SpotReply>("spot/check", { text }, stop.signal).then(
          (reply) => {
            if (stop.signal.aborted) return;
            setState({ of: text, reply, error: null });
            // Typed as text: now the other tabs can show it.
            if (draft.get().text === text) receiveForm(reply.spot);
          },
          (error: Error) => {
            if (!stop.signal.aborted) setState((before) => ({ ...before, of: text, error: error.message }));
          },
        ),
      REST,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  return { reply: state.reply, error: state.of === text ? state.error : null, current: state.of === text };
}
