import { useEffect } from "preact/hooks";
import { moment } from "../format";
import { hasEnded, jobs, onJobEnd } from "../shell/jobs";
import { JobLine } from "../shell/JobsTray";
import { openHash } from "../shell/openFile";
import { navigate } from "../shell/router";
import { serverState } from "../shell/server";
import { useStore } from "../shell/store";
import type { FileEntry, Files } from "../types";
import { Notice, useFetch } from "../ui";
import { Example } from "./Example";
import "./home.css";

const SPADE =
  "M12 3 C9 8 4 10 4 14.5 C4 17 6 18.5 8 18.5 C9.5 18.5 10.7 17.8 11.2 16.8 " +
  "C11.2 19 10.5 20.5 9 21.5 L15 21.5 C13.5 20.5 12.8 19 12.8 16.8 C13.3 17.8 14.5 18.5 16 18.5 " +
  "C18 18.5 20 17 20 14.5 C20 10 15 8 12 3 Z";
const BRANCHES =
  "M2 11 L8 11 L14 4 L22 4 L22 6 L15 6 L10 12 L15 18 L22 18 L22 20 L14 20 L8 13 L2 13 Z " +
  "M12 11 L22 11 L22 13 L12 13 Z";
const TWO_CARDS = "M3 6 L12 3 L14 9 L14 20 L8 21 Z M10 7 L21 7 L21 21 L10 21 Z M12 9 L12 19 L19 19 L19 9 Z";

const CARDS = [
  {
    href: "#/spot",
    tour: "card-spot",
    title: "Solve a hold'em spot",
    text: "Board, ranges, stacks and sizes. Then every street, every hand.",
    sign: SPADE,
  },
  {
    href: "#/lab",
    tour: "card-lab",
    title: "Take a game apart",
    text: "See the tree, cut it, solve the pieces again, measure what it gains.",
    sign: BRANCHES,
  },
  {
    href: "#/play",
    tour: "card-play",
    title: "Play against a solution",
    text: "Kuhn, Leduc, or a spot that you solved; with hints if you like.",
    sign: TWO_CARDS,
  },
];

export function HomePage() {
  const state = useStore(serverState);
  return (
    <div class="page home">
      <section class="panel home-example" aria-labelledby="home-title">
        <h1 id="home-title">A solved spot</h1>
        {state?.example ? (
          <Example file={state.example} />
        ) : (
          <Notice>The server has no example. Set up a spot of your own and solve it.</Notice>
        )}
      </section>
      <div class="home-side">
        {CARDS.map((card) => (
          <a key={card.href} class="home-card" href={card.href} data-tour={card.tour} data-testid={card.tour}>
            <span class="home-sign" aria-hidden="true">
              <svg width="24" height="24" viewBox="0 0 24 24">
                <path d={card.sign} />
              </svg>
            </span>
            <span>
              <strong>{card.title}</strong>
              <span class="muted small-text">{card.text}</span>
            </span>
          </a>
        ))}
        <Recent />
      </div>
    </div>
  );
}

const KIND_WORDS: Record<FileEntry["kind"], string> = {
  spot: "spot",
  solution: "solution",
  strategy: "strategy",
  history: "convergence",
  game: "game",
};
const MOST = 5;

function Recent() {
  const files = useFetch<Files>("files");
  const list = useStore(jobs);
  useEffect(() => onJobEnd(files.reload), [files.reload]);
  const recent = (files.data?.files ?? []).filter((file) => file.kind !== "history").slice(0, MOST);
  const shown = [...list.filter((job) => !hasEnded(job)), ...list.filter(hasEnded)].slice(0, 3);
  async function open(event: Event, entry: FileEntry) {
    event.preventDefault();
    navigate(await openHash(entry, list));
  }
  return (
    <>
      {shown.length > 0 && (
        <section class="panel" aria-label="Jobs">
          <h2>Jobs</h2>
          {shown.map((job) => (
            <JobLine key={job.id} job={job} />
          ))}
        </section>
      )}
      {recent.length > 0 && (
        <section class="panel" aria-label="Recent files">
          <div class="row between">
            <h2>Recent files</h2>
            <a href="#/files">All files</a>
          </div>
          <ul class="recent">
            {recent.map((entry) => (
              <li key={entry.file}>
                <a href="#/files" onClick={(event) => void open(event, entry)}>
                  {entry.file}
                </a>
                <span class="muted small-text">
                  {KIND_WORDS[entry.kind]}, {moment(entry.modified)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
