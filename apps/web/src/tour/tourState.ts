import { navigate } from "../shell/router";
import { Store } from "../shell/store";

const KEY = "cleave-tour";

// The step from 0; null: no tour.
export const tourStep = new Store<number | null>(localStorage.getItem(KEY) === "seen" ? null : 0);

export function startTour(): void {
  navigate("#/");
  tourStep.set(0);
}
export function endTour(): void {
  localStorage.setItem(KEY, "seen");
  tourStep.set(null);
}
