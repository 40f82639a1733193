import { startTour } from "../tour/tourState";
import { Button } from "../ui";
import { JobsTray } from "./JobsTray";
import { useStore } from "./store";
import { chooseTheme, themeChoice, type ThemeChoice } from "./theme";

const PLACES = [
  { href: "#/", label: "Home", testid: "nav-home", paths: ["/"] },
  { href: "#/spot", label: "Hold'em", testid: "nav-spot", paths: ["/spot", "/solution", "/compare"] },
  { href: "#/lab", label: "Games", testid: "nav-lab", paths: ["/lab", "/lab/runs"] },
  { href: "#/play", label: "Play", testid: "nav-play", paths: ["/play"] },
  { href: "#/files", label: "Files", testid: "nav-files", paths: ["/files"] },
];

export function Header({ path }: { path: string }) {
  return (
    <header class="header">
      <a class="brand" href="#/" aria-label="Cleave, first page">
        <Mark />
        <span>Cleave</span>
      </a>
      <nav aria-label="Pages">
        {PLACES.map((place) => (
          <a
            key={place.href}
            href={place.href}
            data-testid={place.testid}
            aria-current={place.paths.includes(path) ? "page" : undefined}
          >
            {place.label}
          </a>
        ))}
      </nav>
      <div class="header-tools">
        <JobsTray />
        <Button kind="quiet" small testid="tour-start" onClick={startTour}>
          Tour
        </Button>
        <ThemeSwitch />
      </div>
    </header>
  );
}

// A block that is split in two.
function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M2 3 L12 3 L8 19 L2 19 Z" fill="var(--player-0)" />
      <path d="M15 3 L20 3 L20 19 L11 19 Z" fill="var(--player-1)" />
    </svg>
  );
}

function ThemeSwitch() {
  const choice = useStore(themeChoice);
  return (
    <select
      class="theme-switch"
      data-testid="theme"
      aria-label="Colours"
      title="Colours"
      value={choice}
      onChange={(event) => chooseTheme(event.currentTarget.value as ThemeChoice)}
    >
      <option value="system">Auto</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}
