// The server's jobs, as this page knows them. Browsers allow few open connections, so only the job that
// runs is followed; the list is fetched again when it ends.
import { useEffect, useState } from "preact/hooks";
import { follow, get, post } from "../api";
import type { Job } from "../types";
import { Store, useStore } from "./store";

export const jobs = new Store<Job[]>([]); // newest first

let followed: { id: number; stop: () => void } | null = null;
let refreshing = false;
const endings = new Set<(job: Job) => void>();

export function hasEnded(job: Job): boolean {
  return job.state !== "queued" && job.state !== "running";
}

// Calls back for each job that ends while the page is open. Returns what stops it.
export function onJobEnd(callback: (job: Job) => void): () => void {
  endings.add(callback);
  return () => endings.delete(callback);
}

function put(job: Job): void {
  const list = jobs.get();
  const before = list.find((one) => one.id === job.id);
  jobs.set(before ? list.map((one) => (one.id === job.id ? job : one)) : [job, ...list]);
  announce(before, job);
}

function announce(before: Job | undefined, job: Job): void {
  if (before && !hasEnded(before) && hasEnded(job)) for (const callback of [...endings]) callback(job);
}

async function refresh(): Promise<void> {
  if (refreshing) return;
  refreshing = true;
  try {
    receiveJobs((await get<{ jobs: Job[] }>("jobs")).jobs);
  } catch {
    // server.ts notices when the server is gone and brings the list when it is back.
  } finally {
    refreshing = false;
  }
}

function followNext(): void {
  const live = jobs.get().filter((job) => !hasEnded(job));
  const next = live.find((job) => job.state === "running") ?? live.sort((a, b) => a.id - b.id)[0];
  if (next?.id === followed?.id) return;
  followed?.stop();
  followed = null;
  if (!next) return;
  const stop = follow(next.id, (job) => {
    put(job);
    if (!hasEnded(job)) return;
    followed = null;
    void refresh();
  });
  followed = { id: next.id, stop };
}

// The whole list, as the server sent it.
export function receiveJobs(list: Job[]): void {
  const before = new Map(jobs.get().map((job) => [job.id, job]));
  jobs.set(list);
  for (const job of list) announce(before.get(job.id), job);
  followNext();
}

// A job that was just started.
export function noteJob(job: Job): void {
  put(job);
  followNext();
}

export async function cancelJob(id: number): Promise<void> {
  noteJob(await post<Job>("job/cancel", { id }));
}

export async function removeJob(id: number): Promise<void> {
  receiveJobs((await post<{ jobs: Job[] }>("job/remove", { id })).jobs);
}

// One job, as it goes on. Asked for where the list does not have it.
export function useJob(id: number): { job: Job | null; error: Error | null } {
  const job = useStore(jobs).find((one) => one.id === id) ?? null;
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    if (job || !Number.isFinite(id)) return;
    let wanted = true;
    setError(null);
    get<Job>("job", { id }).then(
      (found) => wanted && noteJob(found),
      (problem: Error) => wanted && setError(problem),
    );
    return () => {
      wanted = false;
    };
  }, [id, job === null]);
  return { job, error };
}
