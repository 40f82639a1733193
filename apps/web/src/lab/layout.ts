// Where the shown part of a tree is drawn: from left to right, one row for each leaf.
import type { Tree } from "./useTree";

export interface Place {
  id: number;
  x: number;
  y: number;
  depth: number;
  right: number; // the largest x below
  top: number; // the rows below, as y of the first and last
  bottom: number;
}

export interface Layout {
  places: Map<number, Place>;
  order: number[]; // as shown from top to bottom, parents first
  width: number;
  height: number;
  regions: Region[];
}

// A part of a subgame below one history: the rest of the subgame hangs elsewhere.
export interface Region {
  root: number;
  subgame: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

export const ROW = 36;
export const COLUMN = 138;
const LEFT = 34;
const TOP = 26;

export function layOut(tree: Pick<Tree, "nodes" | "children" | "expanded">): Layout {
  const places = new Map<number, Place>();
  const order: number[] = [];
  let row = 0;
  let deepest = 0;
  function place(id: number, depth: number): Place {
    order.push(id);
    deepest = Math.max(deepest, depth);
    const x = LEFT + depth * COLUMN;
    const below = tree.expanded.has(id) ? (tree.children.get(id) ?? []) : [];
    const here: Place = { id, x, y: 0, depth, right: x, top: 0, bottom: 0 };
    places.set(id, here);
    if (below.length === 0) {
      here.y = here.top = here.bottom = TOP + ROW * row++;
      return here;
    }
    const parts = below.map((child) => place(child, depth + 1));
    const first = parts[0] as Place;
    const last = parts[parts.length - 1] as Place;
    // In the middle of its children, but near the first one: the root of a tall tree stays in sight.
    here.y = Math.min((first.y + last.y) / 2, first.y + 1.5 * ROW);
    here.top = first.top;
    here.bottom = last.bottom;
    here.right = Math.max(...parts.map((part) => part.right));
    return here;
  }
  if (tree.nodes.has(0)) place(0, 0);
  return {
    places,
    order,
    width: LEFT + deepest * COLUMN + 90,
    height: TOP * 2 + Math.max(0, row - 1) * ROW,
    regions: findRegions(tree, places, order),
  };
}

function findRegions(tree: Pick<Tree, "nodes">, places: Map<number, Place>, order: number[]): Region[] {
  const regions: Region[] = [];
  for (const id of order) {
    const node = tree.nodes.get(id);
    const place = places.get(id);
    if (!node || !place || node.subgame < 0) continue;
    const above = tree.nodes.get(node.parent);
    if (above && above.subgame === node.subgame) continue;
    regions.push({
      root: id,
      subgame: node.subgame,
      left: place.x - 24,
      top: place.top - ROW / 2 + 1,
      width: place.right - place.x + 82,
      height: place.bottom - place.top + ROW + 3,
    });
  }
  return regions;
}
