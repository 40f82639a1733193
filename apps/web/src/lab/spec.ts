// A game's name with parameters: "leduc(ranks=4,suits=3)".
import type { Games } from "../types";

export interface Spec {
  name: string;
  params: Record<string, string>;
}

export function parseSpec(text: string): Spec {
  const found = /^([^()]*)\((.*)\)$/.exec(text.trim());
  if (!found) return { name: text.trim(), params: {} };
  const params: Record<string, string> = {};
  for (const part of (found[2] ?? "").split(",")) {
    const at = part.indexOf("=");
    if (at > 0) params[part.slice(0, at).trim()] = part.slice(at + 1).trim();
  }
  return { name: (found[1] ?? "").trim(), params };
}

// What is as by default is left out.
export function specText(spec: Spec, defaults: Record<string, string> = {}): string {
  const parts = Object.entries(spec.params)
    .filter(([name, value]) => value.trim() !== "" && value.trim() !== defaults[name])
    .map(([name, value]) => `${name}=${value.trim()}`);
  return parts.length > 0 ? `${spec.name}(${parts.join(",")})` : spec.name;
}

export function defaultsOf(list: { name: string; params: Games["games"][number]["params"] }[], name: string) {
  const entry = list.find((one) => one.name === name);
  return Object.fromEntries((entry?.params ?? []).map((param) => [param.name, param.default]));
}

// Something to call a file: letters, digits, '-', '_' and '.'.
export function fileName(...parts: string[]): string {
  return parts
    .join("-")
    .replace(/\.(efg|game|csv|h5)\b/g, "")
    .replace(/[^A-Za-z0-9._+/-]+/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");
}
