// Fields that cannot be read as they stand: nothing is solved until they can.
import { useEffect, useId } from "preact/hooks";
import { Store } from "../shell/store";

export const unfinished = new Store<ReadonlySet<string>>(new Set());

export function useUnfinished(problem: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!problem) return;
    unfinished.set(new Set([...unfinished.get(), id]));
    return () => unfinished.set(new Set([...unfinished.get()].filter((other) => other !== id)));
  }, [problem, id]);
}
