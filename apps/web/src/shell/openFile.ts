// Where a file opens, and which game a strategy belongs to.
import { get } from "../api";
import type { FileEntry, HistoryReply, Job } from "../types";
import { hashOf } from "./router";

const KEY = "cleave-strategy-games";

function remembered(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

// A strategy's file does not name its game: what was used together is kept.
export function rememberGame(strategy: string, game: string): void {
  const all = remembered();
  if (all[strategy] === game) return;
  const kept = Object.entries({ ...all, [strategy]: game }).slice(-500);
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
}

function gameOfJob(job: Job, file: string): string | null {
  const result = job.result as { strategy?: string; trunk?: string; methods?: { strategy: string }[] } | null;
  const files = [result?.strategy, result?.trunk, ...(result?.methods ?? []).map((one) => one.strategy)];
  return files.includes(file) ? String((job.request as { game?: string }).game ?? "") || null : null;
}

// By jobs that wrote it, by earlier use, by the history that `solve` writes beside it; else null.
// `histories`: those that are there, where that is known; saves asking in vain.
export async function gameOfStrategy(
  file: string,
  jobs: Job[],
  histories?: ReadonlySet<string>,
): Promise<string | null> {
  for (const job of jobs) {
    const game = gameOfJob(job, file);
    if (game) return game;
  }
  const known = remembered()[file];
  if (known) return known;
  const beside = file.replace(/\.(csv|h5)$/, ".history.csv");
  if (histories && !histories.has(beside)) return null;
  try {
    return (await get<HistoryReply>("history", { file: beside })).game || null;
  } catch {
    return null;
  }
}

export async function openHash(entry: FileEntry, jobs: Job[]): Promise<string> {
  switch (entry.kind) {
    case "spot":
      return hashOf("/spot", { file: entry.file });
    case "solution":
      return hashOf("/solution", { file: entry.file });
    case "game":
      return hashOf("/lab", { game: entry.file });
    case "history":
      return hashOf("/lab/runs", { file: entry.file });
    case "strategy": {
      const game = await gameOfStrategy(entry.file, jobs);
      return hashOf("/lab", { game: game ?? undefined, strategy: entry.file });
    }
  }
}
