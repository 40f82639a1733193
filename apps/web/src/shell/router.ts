// Pages by the address behind '#': "#/lab?game=leduc" is path "/lab" and query game=leduc.
import { Store, useStore } from "./store";

export interface Route {
  path: string;
  query: URLSearchParams;
}

function read(): Route {
  const text = location.hash.replace(/^#/, "") || "/";
  const mark = text.indexOf("?");
  const path = mark < 0 ? text : text.slice(0, mark);
  return { path, query: new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1)) };
}

// Goes to a page: navigate("#/lab?game=leduc"). A new entry in the browser's history.
export function navigate(hash: string): void {
  location.hash = hash.replace(/^#/, "");
}

// The same without a new entry: for choices on a page that the address should keep.
export function replaceRoute(hash: string): void {
  const target = `#${hash.replace(/^#/, "")}`;
  if (target === location.hash) return;
  history.replaceState(null, "", target);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

// "#/lab?game=leduc" of "/lab" and {game: "leduc"}; what is undefined or "" is left out.
export function hashOf(path: string, query: Record<string, string | number | undefined> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return `#${path}${text ? `?${text}` : ""}`;
}

// One for all, from the beginning: an address that changes before a page is drawn is not missed.
const route = new Store(read());
window.addEventListener("hashchange", () => route.set(read()));

export function useRoute(): Route {
  return useStore(route);
}
