import { hashOf, navigate } from "../shell/router";
import type { Job, ResolveRequest, ResolveResult } from "../types";
import { ResolveView } from "./ResolveView";

// The page of a "resolve" job, below what jobs have in common.
export function ResolveJob({ job }: { job: Job }) {
  const request = job.request as ResolveRequest;
  const result = job.result as ResolveResult | null;
  if (!result) return null;
  const link = (strategy: string, infoset?: number) =>
    hashOf("/lab", { game: request.game, strategy, cut: request.cut, infoset });
  return (
    <section class="panel">
      <ResolveView result={result} onShow={(infoset, strategy) => navigate(link(strategy, infoset))} />
      <div class="row">
        <a class="button" href={link(result.trunk)}>
          Open the game with this cut
        </a>
      </div>
    </section>
  );
}
