// Colours of actions and of numbers. The values themselves are custom properties: style.css has those of
// actions, poker.css those of scales.
import type { ActionForm } from "../types";

export interface Paint {
  fill: string;
  ink: string; // of text on it
  dark?: boolean; // of actions: whether text on it is light
}

const DARK = ["fold", "bet-3", "bet-4", "allin"];

function named(name: string): Paint {
  return { fill: `var(--action-${name})`, ink: `var(--on-action-${name})`, dark: DARK.includes(name) };
}

function isBet(action: ActionForm): boolean {
  return action.kind === "bet" || action.kind === "raise";
}

// Bets darken with their size.
function betPaint(place: number, count: number): Paint {
  if (count === 1) return named("bet-2");
  if (count === 2) return named(place === 0 ? "bet-1" : "bet-3");
  if (count <= 4) return named(`bet-${place + 1}`);
  const at = (3 * place) / (count - 1);
  const low = Math.min(2, Math.floor(at));
  const share = Math.round(100 * (1 - (at - low)));
  return {
    fill: `color-mix(in oklab, var(--action-bet-${low + 1}) ${share}%, var(--action-bet-${low + 2}))`,
    ink: `var(--on-action-bet-${Math.round(at) + 1})`,
    dark: at >= 1.5,
  };
}

export function actionPaints(actions: readonly ActionForm[]): Paint[] {
  const count = actions.filter(isBet).length;
  let bets = 0;
  return actions.map((action) => {
    if (action.kind === "fold") return named("fold");
    if (action.kind === "check" || action.kind === "call") return named("check");
    if (action.kind === "allin") return named("allin");
    return betPaint(bets++, count);
  });
}

// From dark blue (0) over grey to yellow (1): it rises in lightness, so it reads without hue.
export function heat(share: number): Paint {
  const at = Math.min(1, Math.max(0, share));
  const [from, to, part] = at < 0.5 ? ["low", "middle", 2 * at] : ["middle", "high", 2 * at - 1];
  const kept = fixedShare(1 - part);
  return {
    fill: `color-mix(in oklab, var(--heat-${from}) ${kept}%, var(--heat-${to}))`,
    ink: at < 0.5 ? "var(--heat-ink-low)" : "var(--heat-ink-high)",
  };
}

// Blue below zero, orange above, `at` from -1 to 1.
export function diverging(at: number): Paint {
  const size = Math.min(1, Math.abs(at));
  const end = at < 0 ? "below" : "above";
  return {
    fill: `color-mix(in oklab, var(--diverge-${end}) ${fixedShare(size)}%, var(--diverge-zero))`,
    ink: size > 0.6 ? `var(--diverge-ink-${end})` : "var(--diverge-ink-zero)",
  };
}

function fixedShare(share: number): string {
  return (100 * share).toFixed(1);
}

// Whether most of what lies under a name at the left of a stacked bar is dark.
export function isDarkLeft(mix: readonly number[], paints: readonly Paint[]): boolean {
  let left = 0.6;
  let dark = 0;
  for (let a = mix.length - 1; a >= 0 && left > 0; a--) {
    const share = Math.min(left, mix[a] ?? 0);
    left -= share;
    if (paints[a]?.dark) dark += share;
  }
  return dark > 0.3;
}

// Stacked from left to right, the largest bet first, as `cleave show` draws it.
export function mixGradient(mix: readonly number[], paints: readonly Paint[]): string {
  const stops: string[] = [];
  let at = 0;
  for (let a = mix.length - 1; a >= 0; a--) {
    const share = mix[a] ?? 0;
    if (share <= 0) continue;
    const fill = paints[a]?.fill ?? "transparent";
    stops.push(`${fill} ${(100 * at).toFixed(2)}% ${(100 * (at + share)).toFixed(2)}%`);
    at += share;
  }
  return stops.length > 0 ? `linear-gradient(90deg, ${stops.join(", ")})` : "none";
}
