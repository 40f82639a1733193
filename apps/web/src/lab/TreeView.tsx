// The tree as a drawing. Shapes and letters say who acts: circle 1, square 2, diamond chance.
import { memo } from "preact/compat";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { general, percent } from "../format";
import type { TreeNode } from "../types";
import { Button } from "../ui";
import { layOut, type Layout, type Place, ROW } from "./layout";
import type { Tree } from "./useTree";

interface Props {
  tree: Tree;
  chosen: number | null;
  onChoose: (id: number) => void;
  tools?: preact.ComponentChildren;
}

const ZOOMS = [0.35, 0.5, 0.7, 0.85, 1, 1.25, 1.6];

export function TreeView({ tree, chosen, onChoose, tools }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const layout = useMemo(() => layOut(tree), [tree.nodes, tree.children, tree.expanded]);
  const pan = usePan(box);
  useShown(box, layout, chosen, zoom);

  function step(by: number) {
    const next = by > 0 ? ZOOMS.find((one) => one > zoom * 1.01) : ZOOMS.findLast((one) => one < zoom * 0.99);
    if (next !== undefined) setZoom(next);
  }
  function fit() {
    const place = box.current;
    if (!place) return;
    const share = Math.min(place.clientWidth / layout.width, place.clientHeight / layout.height);
    setZoom(Math.min(1.25, Math.max(0.2, share)));
    place.scrollTo(0, 0);
  }
  return (
    <div class="tree">
      <div class="tree-tools">
        {tools}
        <div class="row tree-buttons">
          <Button small title="One level further, everywhere" onClick={() => void tree.openLevel()}>
            Open more
          </Button>
          <Button small title="Only the first level" onClick={tree.closeAll}>
            Close all
          </Button>
          <div class="segmented" role="group" aria-label="Zoom">
            <Button small aria-label="Smaller" onClick={() => step(-1)}>
              −
            </Button>
            <Button small onClick={fit}>
              Fit
            </Button>
            <Button small aria-label="Larger" onClick={() => step(1)}>
              +
            </Button>
          </div>
        </div>
      </div>
      <div class="tree-scroll" ref={box} {...pan}>
        <Drawing tree={tree} layout={layout} chosen={chosen} onChoose={onChoose} zoom={zoom} />
      </div>
      <Legend cut={tree.cut !== null} />
    </div>
  );
}

function Legend({ cut }: { cut: boolean }) {
  return (
    <p class="tree-legend muted small-text">
      <span>
        <i class="mark-0" /> player 1
      </span>
      <span>
        <i class="mark-1" /> player 2
      </span>
      <span>
        <i class="mark-2" /> chance
      </span>
      <span>numbers: value to player 1</span>
      {cut && <span>boxes: subgames, by number</span>}
      <span>Arrow keys move, open and close; Enter opens.</span>
    </p>
  );
}

// Dragging the empty ground scrolls.
function usePan(box: Box) {
  const from = useRef<{ x: number; y: number; left: number; top: number } | null>(null);
  return {
    onPointerDown: (event: PointerEvent) => {
      const target = event.target as Element;
      if (event.pointerType !== "mouse" || event.button !== 0 || !box.current) return;
      if (target.closest(".tree-node")) return;
      // Scroll bars are part of the box: leave them alone.
      const rect = box.current.getBoundingClientRect();
      if (event.clientX - rect.left > box.current.clientWidth) return;
      if (event.clientY - rect.top > box.current.clientHeight) return;
      from.current = {
        x: event.clientX,
        y: event.clientY,
        left: box.current.scrollLeft,
        top: box.current.scrollTop,
      };
      box.current.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      if (!from.current || !box.current) return;
      box.current.scrollLeft = from.current.left - (event.clientX - from.current.x);
      box.current.scrollTop = from.current.top - (event.clientY - from.current.y);
    },
    onPointerUp: () => {
      from.current = null;
    },
  };
}

// Scrolls as little as needed for the chosen history to be seen.
type Box = { current: HTMLDivElement | null };

function useShown(box: Box, layout: Layout, chosen: number | null, zoom: number) {
  const last = useRef<string>("");
  useEffect(() => {
    const place = chosen === null ? undefined : layout.places.get(chosen);
    const view = box.current;
    if (!place || !view) return;
    const key = `${chosen} ${zoom}`;
    if (last.current === key) return;
    last.current = key;
    const x = place.x * zoom;
    const y = place.y * zoom;
    const left = Math.min(Math.max(view.scrollLeft, x + 120 - view.clientWidth), Math.max(0, x - 150));
    const top = Math.min(Math.max(view.scrollTop, y + 60 - view.clientHeight), Math.max(0, y - 60));
    view.scrollTo({ left, top });
  }, [chosen, layout, zoom]);
}

interface DrawingProps extends Omit<Props, "tools"> {
  layout: Layout;
  zoom: number;
}

function Drawing({ tree, layout, chosen, onChoose, zoom }: DrawingProps) {
  const svg = useRef<SVGSVGElement>(null);
  const refocus = useRef(false);
  const chosenNode = chosen === null ? undefined : tree.nodes.get(chosen);
  const focus = chosen !== null && layout.places.has(chosen) ? chosen : 0;

  useLayoutEffect(() => {
    if (!refocus.current) return;
    refocus.current = false;
    svg.current?.querySelector<SVGGElement>(`[data-id="${focus}"]`)?.focus({ preventScroll: true });
  }, [focus]);

  function go(id: number | undefined) {
    if (id === undefined) return;
    refocus.current = true;
    onChoose(id);
  }
  function key(event: KeyboardEvent) {
    const at = layout.order.indexOf(focus);
    const open = tree.expanded.has(focus);
    const node = tree.nodes.get(focus);
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(layout.order[at + 1]),
      ArrowUp: () => go(layout.order[at - 1]),
      Home: () => go(layout.order[0]),
      End: () => go(layout.order.at(-1)),
      ArrowRight: () => {
        if (open) go(tree.children.get(focus)?.[0]);
        else if (node.num_children > 0) tree.toggle(focus);
      },
      ArrowLeft: () => (open ? tree.toggle(focus) : node.parent >= 0 && go(node.parent)),
      Enter: () => node.num_children > 0 && tree.toggle(focus),
      " ": () => go(focus),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }
  const drawn = layout.order.flatMap((id) => {
    const node = tree.nodes.get(id);
    const place = layout.places.get(id);
    return node && place ? [{ node, place }] : [];
  });
  return (
    <svg
      ref={svg}
      class="tree-svg"
      role="tree"
      aria-label="Game tree"
      width={layout.width * zoom}
      height={layout.height * zoom}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      onKeyDown={key}
    >
      <g aria-hidden="true">
        {layout.regions.map((region) => (
          <RegionBox key={region.root} region={region} strong={chosenNode?.subgame === region.subgame} />
        ))}
      </g>
      <g aria-hidden="true">
        {drawn.map(({ node, place }) => (
          <Edge key={node.id} node={node} place={place} from={layout.places.get(node.parent)} />
        ))}
      </g>
      <SetJoin tree={tree} layout={layout} infoset={chosenNode?.infoset ?? -1} />
      {drawn.map(({ node, place }) => (
        <NodeMark
          key={node.id}
          node={node}
          place={place}
          open={tree.expanded.has(node.id)}
          chosen={node.id === chosen}
          inSet={chosenNode !== undefined && node.infoset >= 0 && node.infoset === chosenNode.infoset}
          focusable={node.id === focus}
          onChoose={onChoose}
          onToggle={tree.toggle}
        />
      ))}
    </svg>
  );
}

function RegionBox({ region, strong }: { region: Layout["regions"][number]; strong: boolean }) {
  return (
    <g class={`tree-region tint-${region.subgame % 6}${strong ? " strong" : ""}`}>
      <rect x={region.left} y={region.top} width={region.width} height={region.height} rx="8" />
      {region.height > 2 * ROW ? (
        <text x={region.left + 7} y={region.top + 15}>
          subgame {region.subgame + 1}
        </text>
      ) : (
        <text x={region.left + region.width - 5} y={region.top + 11} text-anchor="end">
          {region.subgame + 1}
        </text>
      )}
    </g>
  );
}

// The histories of the chosen information set, joined by a line beside them.
function SetJoin({ tree, layout, infoset }: { tree: Tree; layout: Layout; infoset: number }) {
  if (infoset < 0) return null;
  const places = layout.order
    .filter((id) => tree.nodes.get(id)?.infoset === infoset)
    .map((id) => layout.places.get(id) as Place);
  if (places.length < 2) return null;
  const parts = places.slice(1).map((place, at) => {
    const before = places[at] as Place;
    const bend = Math.min(46, 16 + Math.abs(place.y - before.y) / 12);
    const [x, y] = [place.x, place.y];
    return `M${before.x},${before.y} C${before.x - bend},${before.y} ${x - bend},${y} ${x},${y}`;
  });
  return <path class="set-join" d={parts.join(" ")} aria-hidden="true" />;
}

const Edge = memo(function Edge(props: { node: TreeNode; place: Place; from: Place | undefined }) {
  const { node, place, from } = props;
  if (!from) return null;
  const bend = from.x + 50;
  const middle = from.x + 30;
  const y = place.y;
  const width = node.probability === null ? 1.5 : 0.75 + 5.25 * node.probability;
  const share = node.probability === null ? "" : ` ${shortPercent(node.probability)}`;
  return (
    <g class={node.probability !== null && node.probability < 5e-4 ? "tree-edge never" : "tree-edge"}>
      <path
        d={`M${from.x + 10},${from.y} C${middle},${from.y} ${middle},${y} ${bend},${y} L${place.x - 9},${y}`}
        stroke-width={width}
      />
      <text x={place.x - 15} y={place.y - 5 - width / 2} text-anchor="end">
        {shorten(node.action, 12)}
        <tspan class="edge-share">{share}</tspan>
      </text>
    </g>
  );
});

export function shortPercent(share: number): string {
  if (share > 0 && share < 0.0005) return "<0.1%";
  return share > 0.9995 || share === 0 || Math.abs(share * 100 - Math.round(share * 100)) < 0.05
    ? percent(share, 0)
    : percent(share, 1);
}

// Few digits for the drawing; the panel has all.
function shortValue(value: number): string {
  return Math.abs(value) < 5e-4 ? "0" : general(value, 3);
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

const WHO = ["player 1", "player 2", "chance", "the end"];

function describe(node: TreeNode): string {
  const parts = [node.action || "start", WHO[node.player] ?? ""];
  if (node.label) parts.push(`information set ${node.label}`);
  if (node.probability !== null) parts.push(percent(node.probability));
  if (node.value !== null) parts.push(`value ${general(node.value, 4)}`);
  if (node.subgame >= 0) parts.push(`subgame ${node.subgame + 1}`);
  return parts.join(", ");
}

interface MarkProps {
  node: TreeNode;
  place: Place;
  open: boolean;
  chosen: boolean;
  inSet: boolean;
  focusable: boolean;
  onChoose: (id: number) => void;
  onToggle: (id: number) => void;
}

const NodeMark = memo(function NodeMark(props: MarkProps) {
  const { node, place, open, chosen, inSet } = props;
  const names = ["tree-node", `by-${node.player}`, chosen ? "chosen" : "", inSet ? "in-set" : ""];
  // The chosen one opens and closes; others are chosen first.
  function click() {
    if (chosen || (!open && node.num_children > 0)) props.onToggle(node.id);
    props.onChoose(node.id);
  }
  return (
    <g
      class={names.filter(Boolean).join(" ")}
      role="treeitem"
      aria-level={place.depth + 1}
      aria-expanded={node.num_children > 0 ? open : undefined}
      aria-selected={chosen}
      aria-label={describe(node)}
      tabindex={props.focusable ? 0 : -1}
      data-id={node.id}
      data-testid={`tree-node-${node.id}`}
      transform={`translate(${place.x},${place.y})`}
      onClick={click}
    >
      <title>{describe(node)}</title>
      <rect class="hit" x="-15" y="-16" width="56" height="38" />
      {node.player === 3 ? <EndMark value={node.value} /> : <Shape player={node.player} />}
      {node.player !== 3 && node.value !== null && (
        <text class="node-value" x="-6" y="20">
          {shortValue(node.value)}
        </text>
      )}
      {node.num_children > 0 && !open && (
        <text class="node-more" x="14" y="4">
          +{node.num_children}
        </text>
      )}
    </g>
  );
});

function Shape({ player }: { player: number }) {
  return (
    <>
      {player === 0 && <circle class="shape" r="10" />}
      {player === 1 && <rect class="shape" x="-9.5" y="-9.5" width="19" height="19" rx="2" />}
      {player === 2 && <path class="shape" d="M0,-10 L10,0 L0,10 L-10,0 Z" />}
      <text class="node-letter" y="4" text-anchor="middle">
        {player === 2 ? "c" : player + 1}
      </text>
    </>
  );
}

function EndMark({ value }: { value: number | null }) {
  const text = value === null ? "end" : `${value > 0 ? "+" : ""}${general(value, 4)}`;
  return (
    <>
      <rect class="shape" x="-8" y="-9" width={Math.max(24, 11 + 6.6 * text.length)} height="18" rx="4" />
      <text class={`end-value ${value !== null && value < 0 ? "minus" : ""}`} x="-2" y="4">
        {text}
      </text>
    </>
  );
}
