// Three steps on the first page. The tour points at what is there and blocks nothing.
import { useEffect, useRef, useState } from "preact/hooks";
import { useStore } from "../shell/store";
import { Button } from "../ui";
import "./tour.css";
import { endTour, tourStep } from "./tourState";

interface Step {
  target: string; // what it points at
  title: string;
  text: string;
}

const STEPS: Step[] = [
  {
    target: "[data-tour='example-actions']",
    title: "This is a solved spot",
    text: "The bars and the grid show how each hand is played. Click an action to go down the tree with it.",
  },
  {
    target: "[data-tour='card-spot']",
    title: "Set up your own and solve it",
    text: "Board, ranges, pot, stacks and bet sizes: fill them in and press Solve. A job outlives its tab.",
  },
  {
    target: "[data-tour='card-lab']",
    title: "Games: cut and re-solve",
    text: "Draw the tree of any game, cut it into a trunk and subgames, re-solve those, see what it gains.",
  },
];

export function Tour({ path }: { path: string }) {
  const step = useStore(tourStep);
  if (step === null || path !== "/") return null;
  const entry = STEPS[step];
  return entry ? <Bubble key={step} entry={entry} step={step} /> : null;
}

interface Spot {
  top: number;
  left: number;
  width: number;
  height: number;
}

// Where the target is in the document; follows what moves it.
function useSpot(selector: string): Spot | null {
  const [spot, setSpot] = useState<Spot | null>(null);
  useEffect(() => {
    let last = "";
    let scrolled = false;
    function look() {
      const found = document.querySelector(selector);
      if (!found) return;
      if (!scrolled) {
        scrolled = true;
        found.scrollIntoView({ block: "nearest" });
      }
      const box = found.getBoundingClientRect();
      const next = { top: box.top + scrollY, left: box.left + scrollX, width: box.width, height: box.height };
      const text = JSON.stringify(next);
      if (text !== last) setSpot(next);
      last = text;
    }
    look();
    const timer = setInterval(look, 250);
    window.addEventListener("resize", look);
    return () => {
      clearInterval(timer);
      window.removeEventListener("resize", look);
    };
  }, [selector]);
  return spot;
}

const WIDTH = 320;
const GAP = 14;

function Bubble({ entry, step }: { entry: Step; step: number }) {
  const spot = useSpot(entry.target);
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(170);
  useEffect(() => {
    if (!spot || !box.current) return;
    setHeight(box.current.offsetHeight);
  }, [spot]);
  useEffect(() => {
    // Focus comes here for the keyboard, unless something is being typed.
    if (spot && !(document.activeElement instanceof HTMLInputElement)) {
      const next = box.current?.querySelector<HTMLButtonElement>("[data-testid='tour-next']");
      next?.focus({ preventScroll: true });
    }
  }, [spot !== null]);
  if (!spot) return null;
  const page = document.documentElement;
  const width = Math.min(WIDTH, page.clientWidth - 24);
  const above = spot.top - scrollY > height + GAP + 60;
  const top = above ? spot.top - height - GAP : spot.top + spot.height + GAP;
  const centre = spot.left + spot.width / 2;
  const left = Math.max(12, Math.min(centre - width / 2, page.clientWidth - width - 12));
  const last = step === STEPS.length - 1;
  return (
    <>
      <div
        class="tour-ring"
        aria-hidden="true"
        style={{
          top: `${spot.top - 5}px`,
          left: `${spot.left - 5}px`,
          width: `${spot.width + 10}px`,
          height: `${spot.height + 10}px`,
        }}
      />
      <div
        ref={box}
        class={`tour-bubble ${above ? "above" : "below"}`}
        role="dialog"
        aria-label={`Tour, step ${step + 1} of ${STEPS.length}`}
        data-testid="tour"
        style={{ top: `${top}px`, left: `${left}px`, width: `${width}px` }}
        onKeyDown={(event) => event.key === "Escape" && endTour()}
      >
        <span class="tour-arrow" style={{ left: `${Math.min(width - 24, Math.max(24, centre - left))}px` }} />
        <h2>{entry.title}</h2>
        <p>{entry.text}</p>
        <div class="row between">
          <span class="muted small-text">
            {step + 1} of {STEPS.length}
          </span>
          <span class="row">
            {!last && (
              <Button small kind="quiet" testid="tour-skip" onClick={endTour}>
                Skip
              </Button>
            )}
            <Button
              small
              kind="primary"
              testid="tour-next"
              onClick={() => (last ? endTour() : tourStep.set(step + 1))}
            >
              {last ? "Done" : "Next"}
            </Button>
          </span>
        </div>
      </div>
    </>
  );
}
