// Every request to the server goes through here.
import type { Job } from "./types";

const TOKEN_KEY = "cleave-token";

// From the printed address; kept for reloads, out of the address bar.
function takeToken(): string {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  if (given !== null) {
    sessionStorage.setItem(TOKEN_KEY, given);
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }
  return given ?? sessionStorage.getItem(TOKEN_KEY) ?? "";
}
const token = takeToken();

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

type Query = Record<string, string | number | boolean | undefined>;

function address(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return `/api/${path}${text ? `?${text}` : ""}`;
}

async function answer<T>(request: Promise<Response>): Promise<T> {
  let response: Response;
  try {
    response = await request;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "The server does not answer. Is `cleave serve` still running?");
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, body?.error ?? `The server says ${response.status}.`);
  return body as T;
}

export function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return answer<T>(fetch(address(path, query), { headers: { "X-Cleave-Token": token }, signal }));
}

export function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return answer<T>(
    fetch(address(path), {
      method: "POST",
      headers: { "X-Cleave-Token": token, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    }),
  );
}

// Calls `see` with the job whenever it has changed, until it has ended. Returns what stops it.
// A browser has six connections to a server for all of its tabs, and a stream keeps one: the tab that
// has the lock listens and tells the others; when it is closed the next one gets the lock.
export function follow(id: number, see: (job: Job) => void): () => void {
  const name = `cleave-job-${id}-${token}`;
  const others = new BroadcastChannel(name);
  const over = new AbortController();
  over.signal.addEventListener("abort", () => others.close());
  const take = (job: Job) => {
    if (over.signal.aborted) return;
    if (job.state !== "queued" && job.state !== "running") over.abort();
    see(job);
  };
  const tell = (job: Job) => {
    if (!over.signal.aborted) others.postMessage(job);
    take(job);
  };
  others.onmessage = (event: MessageEvent<Job>) => take(event.data);
  const listenHere = () => listen(id, over.signal, tell);
  // Pages that come over a network without encryption have no locks.
  if (navigator.locks) navigator.locks.request(name, { signal: over.signal }, listenHere).catch(() => {});
  else void listenHere();
  return () => over.abort();
}

function listen(id: number, over: AbortSignal, tell: (job: Job) => void): Promise<void> {
  return new Promise((done) => {
    const source = new EventSource(address("job/events", { id, token }));
    const end = () => {
      source.close();
      done();
    };
    over.addEventListener("abort", end);
    source.addEventListener("job", (event) => tell(JSON.parse((event as MessageEvent<string>).data) as Job));
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) end(); // refused: another tab may have more luck
    });
  });
}
