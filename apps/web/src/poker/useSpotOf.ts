// What a job's text says: its pot, its memory, its form. Asked once.
import { useEffect, useState } from "preact/hooks";
import { post } from "../api";
import type { SpotForm, SpotReply } from "../types";

const known = new Map<string, Promise<SpotReply>>();

interface Known {
  pot: number | null;
  memory: SpotReply["memory"] | null;
  form: SpotForm | null;
}

export function useSpotOf(text: string): Known {
  const [reply, setReply] = useState<SpotReply | null>(null);
  useEffect(() => {
    let wanted = true;
    let asked = known.get(text);
    if (!asked) {
      asked = post<SpotReply>("spot/check", { text });
      known.set(text, asked);
      asked.catch(() => known.delete(text));
    }
    // Without an answer chips are shown instead of shares of the pot.
    asked.then((answer) => wanted && setReply(answer)).catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [text]);
  return { pot: reply?.spot.pot ?? null, memory: reply?.memory ?? null, form: reply?.spot ?? null };
}
