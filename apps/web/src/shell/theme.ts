// Light or dark: as the system says, or as chosen; remembered.
import { Store } from "./store";

export type ThemeChoice = "system" | "light" | "dark";
const KEY = "cleave-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function remembered(): ThemeChoice {
  const text = localStorage.getItem(KEY);
  return text === "light" || text === "dark" ? text : "system";
}

export const themeChoice = new Store<ThemeChoice>(remembered());
// What is shown: for what CSS cannot colour, such as a canvas.
export const themeShown = new Store<"light" | "dark">("light");

function apply(): void {
  const choice = themeChoice.get();
  const shown = choice === "system" ? (system.matches ? "dark" : "light") : choice;
  document.documentElement.dataset.theme = shown;
  themeShown.set(shown);
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  themeChoice.set(choice);
  apply();
}

export function startTheme(): void {
  system.addEventListener("change", apply);
  apply();
}
