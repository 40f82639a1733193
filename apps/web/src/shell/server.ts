// Whether the server is there and lets us in, and what it says about itself.
import { ApiError, get } from "../api";
import type { State } from "../types";
import { receiveJobs } from "./jobs";
import { Store } from "./store";

export type Connection = "loading" | "ok" | "lost" | "refused";
export const connection = new Store<Connection>("loading");
export const serverState = new Store<State | null>(null);

const PERIOD = 15000;
const PERIOD_LOST = 2000;
let timer = 0;
let checking = false;

// Asks for the state: at the start, now and then, and whenever a request went unanswered.
export async function checkServer(): Promise<void> {
  if (checking) return;
  checking = true;
  clearTimeout(timer);
  try {
    const state = await get<State>("state");
    serverState.set(state);
    receiveJobs(state.jobs);
    connection.set("ok");
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    connection.set(status === 401 || status === 403 ? "refused" : "lost");
  } finally {
    checking = false;
    timer = window.setTimeout(checkServer, connection.get() === "ok" ? PERIOD : PERIOD_LOST);
  }
}

// For what catches errors of requests: an unanswered one may mean that the server is gone.
export function noteError(error: unknown): void {
  if (error instanceof ApiError && (error.status === 0 || error.status === 401)) void checkServer();
}

export function startServer(): void {
  void checkServer();
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void checkServer();
  });
}
