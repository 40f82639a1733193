// Bet sizes of a street, as the tree editor changes them.
import type { SpotForm, StreetForm } from "../types";

export type Player = "oop" | "ip";
export type SizeKind = "bet" | "donk" | "raise";

// Which text of sizes is meant.
export interface SizePlace {
  street: number;
  player: Player;
  kind: SizeKind;
  level: number; // of raises
}

export function samePlace(a: SizePlace | null, b: SizePlace): boolean {
  return a?.street === b.street && a.player === b.player && a.kind === b.kind && a.level === b.level;
}

export function sizesAt(form: SpotForm, place: SizePlace): string {
  const sizes = form.streets[place.street]?.[place.player];
  if (!sizes) return "";
  return place.kind === "raise" ? (sizes.raise[place.level] ?? "") : (sizes[place.kind] ?? "");
}

function changed(street: StreetForm, place: SizePlace, player: Player, text: string): StreetForm {
  const sizes = { ...street[player] };
  if (place.kind === "raise") {
    const levels =
      sizes.raise.length > place.level ? sizes.raise : [...sizes.raise, ...filler(sizes.raise, place.level)];
    sizes.raise = levels.map((before, level) => (level === place.level ? text : before));
  } else {
    sizes[place.kind] = text;
  }
  return { ...street, [player]: sizes };
}

function filler(levels: string[], upTo: number): string[] {
  return new Array<string>(upTo + 1 - levels.length).fill(levels.at(-1) ?? "");
}

export function withStreet(form: SpotForm, street: number, next: StreetForm): SpotForm["streets"] {
  return form.streets.map((before, s) => (s === street ? next : before));
}

// `together`: what one player gets the other gets too.
export function withSizes(
  form: SpotForm,
  place: SizePlace,
  text: string,
  together: boolean,
): SpotForm["streets"] {
  const street = form.streets[place.street];
  if (!street) return form.streets;
  let next = changed(street, place, place.player, text);
  if (together && place.kind !== "donk")
    next = changed(next, place, place.player === "oop" ? "ip" : "oop", text);
  return withStreet(form, place.street, next);
}

export function withDonk(form: SpotForm, street: number, donk: string | null): SpotForm["streets"] {
  const before = form.streets[street];
  return before ? withStreet(form, street, { ...before, oop: { ...before.oop, donk } }) : form.streets;
}

// More or fewer levels of raises, both players alike.
export function withLevels(form: SpotForm, street: number, count: number): SpotForm["streets"] {
  const before = form.streets[street];
  if (!before) return form.streets;
  const resized = (levels: string[]) =>
    count <= levels.length ? levels.slice(0, count) : [...levels, ...filler(levels, count - 1)];
  return withStreet(form, street, {
    ...before,
    oop: { ...before.oop, raise: resized(before.oop.raise) },
    ip: { ...before.ip, raise: resized(before.ip.raise) },
  });
}

export function levelsOf(street: StreetForm): number {
  return Math.max(1, street.oop.raise.length, street.ip.raise.length);
}

// IP plays what OOP plays, on all streets.
export function withSamePlayers(form: SpotForm): SpotForm["streets"] {
  return form.streets.map(
    (street) => street && { ...street, ip: { ...structuredClone(street.oop), donk: null } },
  );
}

export function withCopiedDown(form: SpotForm, from: number): SpotForm["streets"] {
  return form.streets.map((street, s) => (s > from ? structuredClone(form.streets[from] ?? street) : street));
}

// Adds a size to a text of sizes, or takes it out.
export function toggledSize(text: string, size: string): string {
  const sizes = text.split(",").map((one) => one.trim());
  const there = sizes.filter(Boolean);
  const kept = there.filter((one) => one !== size);
  return (kept.length < there.length ? kept : ordered([...there, size])).join(",");
}

// Percentages rise, all-in is last; what is neither keeps its place in between.
function ordered(sizes: string[]): string[] {
  const rank = (size: string) => (size === "a" ? 2e9 : size.endsWith("%") ? parseFloat(size) : 1e9);
  return [...sizes].sort((a, b) => rank(a) - rank(b));
}
