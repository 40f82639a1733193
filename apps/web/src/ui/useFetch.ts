import { useCallback, useEffect, useState } from "preact/hooks";
import { ApiError, get } from "../api";
import { connection, noteError } from "../shell/server";

type Query = Record<string, string | number | boolean | undefined>;

export interface Fetched<T> {
  data: T | null; // the last answer; kept while the next one loads
  error: Error | null;
  loading: boolean;
  reload: () => void;
}

// GETs whenever path or query change, and aborts what is no longer wanted. A path of null fetches nothing.
export function useFetch<T>(path: string | null, query: Query = {}): Fetched<T> {
  const key = path === null ? null : JSON.stringify([path, query]);
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<{ key: string | null; data: T | null; error: Error | null }>({
    key: null,
    data: null,
    error: null,
  });
  const [loading, setLoading] = useState(key !== null);

  useEffect(() => {
    if (path === null) {
      setAnswer({ key: null, data: null, error: null });
      setLoading(false);
      return;
    }
    const stop = new AbortController();
    setLoading(true);
    get<T>(path, query, stop.signal).then(
      (data) => {
        if (stop.signal.aborted) return;
        setAnswer({ key, data, error: null });
        setLoading(false);
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        noteError(error);
        setAnswer({ key, data: null, error: error instanceof Error ? error : new Error(String(error)) });
        setLoading(false);
      },
    );
    return () => stop.abort();
  }, [key, round]);

  // What failed because the server was away is asked again when it is back.
  const lost = answer.error instanceof ApiError && answer.error.status === 0;
  useEffect(() => {
    if (!lost) return;
    return connection.subscribe((state) => state === "ok" && setRound((before) => before + 1));
  }, [lost]);

  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { data: answer.data, error: answer.error, loading: loading || answer.key !== key, reload };
}
