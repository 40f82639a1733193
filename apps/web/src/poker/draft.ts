// The spot that is being set up: kept while other pages are looked at, and over a reload.
import { Store } from "../shell/store";
import type { SpotForm, StreetForm } from "../types";
import { spotText } from "./spot_text";
import { templates } from "./templates";

export interface Draft {
  form: SpotForm; // with sizes for all three streets, whatever the board
  text: string | null; // typed as text, and not yet (or not well) read into `form`
  name: string;
  target: string; // "0.1%" or chips; "" is none
  storage: "f32" | "i16" | "f64";
  algorithm: string; // "" is the default
  iterations: string; // limits; "" is none
  seconds: string;
}

const KEY = "cleave-spot-draft";
const FALLBACK: StreetForm = {
  max_raises: 255,
  oop: { bet: "50%", donk: null, raise: ["50%"] },
  ip: { bet: "50%", donk: null, raise: ["50%"] },
};

// Streets before the board's have no sizes in a spot; they get those of the next one.
function withAllStreets(form: SpotForm): SpotForm {
  const streets = [...form.streets];
  for (let s = 2; s >= 0; s--) streets[s] ??= structuredClone(streets[s + 1] ?? FALLBACK);
  return { ...form, streets };
}

export function newDraft(form: SpotForm, name: string, settings: Partial<Draft> = {}): Draft {
  const plain = { text: null, target: "0.1%", storage: "f32" as const, algorithm: "" };
  return { form: withAllStreets(form), name, iterations: "", seconds: "", ...plain, ...settings };
}

export function templateDraft(key: string): Draft | null {
  const template = templates.find((one) => one.key === key);
  if (!template) return null;
  return newDraft(structuredClone(template.form), template.name, { target: template.target });
}

function remembered(): Draft {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Draft | null;
    if (kept?.form?.range) return kept;
  } catch {
    // What cannot be read is forgotten.
  }
  return templateDraft("river") as Draft;
}

export const draft = new Store<Draft>(remembered());
draft.subscribe((value) => sessionStorage.setItem(KEY, JSON.stringify(value)));

export function changeDraft(change: Partial<Draft>): void {
  draft.set({ ...draft.get(), ...change });
}
export function changeForm(change: Partial<SpotForm>): void {
  const before = draft.get();
  draft.set({ ...before, form: { ...before.form, ...change } });
}
// What the server read from a text.
export function receiveForm(form: SpotForm): void {
  changeDraft({ form: withAllStreets(form) });
}

export function draftText(value: Draft): string {
  return value.text ?? spotText(value.form);
}
