import { useEffect, useRef } from "preact/hooks";
import { HomePage } from "../home/HomePage";
import { LabPage } from "../lab/LabPage";
import { RunsPage } from "../lab/RunsPage";
import { PlayPage } from "../play/PlayPage";
import { ComparePage, SolutionPage, SpotPage } from "../poker";
import { Tour } from "../tour/Tour";
import { Button, ErrorBoundary, notify, Spinner, Toasts } from "../ui";
import { FilesPage } from "./FilesPage";
import { Header } from "./Header";
import { JobPage } from "./JobPage";
import { onJobEnd } from "./jobs";
import { navigate, useRoute } from "./router";
import { checkServer, connection } from "./server";
import "./shell.css";
import { useStore } from "./store";

const PAGES: Record<string, { title: string; page: () => preact.JSX.Element | null }> = {
  "/": { title: "Cleave", page: () => <HomePage /> },
  "/spot": { title: "Hold'em spot", page: () => <SpotPage /> },
  "/solution": { title: "Solution", page: () => <SolutionPage /> },
  "/compare": { title: "Compare", page: () => <ComparePage /> },
  "/lab": { title: "Games", page: () => <LabPage /> },
  "/lab/runs": { title: "Convergence", page: () => <RunsPage /> },
  "/play": { title: "Play", page: () => <PlayPage /> },
  "/files": { title: "Files", page: () => <FilesPage /> },
  "/job": { title: "Job", page: () => <JobPage /> },
};

export function App() {
  const state = useStore(connection);
  const started = useRef(false);
  if (state === "ok") started.current = true;
  useEffect(() => onJobEnd(tellEnd), []);
  if (state === "refused") return <TokenPage />;
  if (!started.current) return <Waiting lost={state === "lost"} />;
  return <Frame lost={state === "lost"} />;
}

function tellEnd(job: { title: string; state: string; error: string | null }) {
  if (job.state === "done") notify(`Done: ${job.title}`, "good");
  if (job.state === "failed") notify(`Failed: ${job.title}. ${job.error ?? ""}`, "bad");
}

function Frame({ lost }: { lost: boolean }) {
  const { path } = useRoute();
  const entry = PAGES[path];
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    document.title = entry && path !== "/" ? `${entry.title} - Cleave` : "Cleave";
    // A new page starts at its top, and readers of the screen are taken there.
    if (!first.current) {
      window.scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
    first.current = false;
  }, [path]);
  return (
    <>
      <a class="skip-link" href="#main" onClick={(event) => skip(event, main.current)}>
        Skip to the page
      </a>
      <Header path={path} />
      {lost && (
        <div class="banner" role="alert" data-testid="banner-lost">
          The server does not answer. Start <code>cleave serve</code> again, or wait: this goes away when it
          is back.
        </div>
      )}
      <main id="main" ref={main} tabIndex={-1}>
        <ErrorBoundary where={path}>{entry ? entry.page() : <NotFound path={path} />}</ErrorBoundary>
      </main>
      <Tour path={path} />
      <Toasts />
    </>
  );
}

function skip(event: Event, main: HTMLElement | null) {
  event.preventDefault();
  main?.focus();
}

function NotFound({ path }: { path: string }) {
  return (
    <div class="page">
      <section class="panel">
        <h1>There is no page "{path}"</h1>
        <div class="row">
          <Button kind="primary" onClick={() => navigate("#/")}>
            Go to the first page
          </Button>
        </div>
      </section>
    </div>
  );
}

function Waiting({ lost }: { lost: boolean }) {
  return (
    <main class="gate">
      {lost ? (
        <section class="panel" role="alert">
          <h1>The server does not answer</h1>
          <p>
            Start it with <code>cleave serve</code> and open the address that it prints. This page tries again
            by itself.
          </p>
        </section>
      ) : (
        <Spinner label="Asking the server" />
      )}
    </main>
  );
}

function TokenPage() {
  return (
    <main class="gate">
      <section class="panel" role="alert" data-testid="token-page">
        <h1>Open the address that cleave serve printed</h1>
        <p>
          The server only answers to who knows its token, and this page has none or an old one. Look in the
          terminal where <code>cleave serve</code> runs for a line like
        </p>
        <pre class="sample">http://127.0.0.1:8620/?token=…</pre>
        <p>and open the whole address, with everything behind the question mark.</p>
        <div class="row">
          <Button kind="primary" onClick={() => void checkServer()}>
            Try again
          </Button>
        </div>
      </section>
    </main>
  );
}
