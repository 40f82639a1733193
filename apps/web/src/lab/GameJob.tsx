import { general, grouped, seconds } from "../format";
import { hashOf } from "../shell/router";
import type { GameRequest, GameResult, Job } from "../types";
import { CertificateLine } from "./Certificate";
import { Convergence } from "./Convergence";

// The page of a "solve-game" job, below what jobs have in common.
export function GameJob({ job }: { job: Job }) {
  const request = job.request as GameRequest;
  const result = job.result as GameResult | null;
  const points = result?.points ?? job.progress?.points ?? [];
  return (
    <section class="panel">
      {points.length > 0 && <Convergence name={job.title} points={points} height={320} />}
      {result ? (
        <GameOutcome game={request.game} result={result} />
      ) : (
        job.progress?.exploitability != null && (
          <p class="num">Exploitability so far: {general(job.progress.exploitability, 6)}</p>
        )
      )}
    </section>
  );
}

export function GameOutcome({ game, result }: { game: string; result: GameResult }) {
  return (
    <div class="stack" data-testid="solve-result">
      <CertificateLine certificate={result} />
      <p class="muted small-text num">
        {grouped(result.iterations)} iterations in {seconds(result.seconds)}. Saved as {result.strategy}.
      </p>
      <div class="row">
        <a class="button primary" href={hashOf("/lab", { game, strategy: result.strategy })}>
          See it in the tree
        </a>
        <a class="button" href={hashOf("/play", { game, strategy: result.strategy })}>
          Play against it
        </a>
        <a class="button" href={hashOf("/lab/runs", { file: result.history })}>
          Compare runs
        </a>
      </div>
    </div>
  );
}
