// The 13x13 grid of hands: suited above the diagonal. It knows how to move and to paint, not what it shows.
import { memo } from "preact/compat";
import { useRef } from "preact/hooks";
import { CELL_NAMES } from "./cards";

export interface CellLook {
  label: string; // for screen readers: everything the colours say
  background?: string;
  level?: number; // how high the background stands, 0 to 1; 1 if it is not given
  ink?: string;
  text?: string; // below the name
  class?: string;
}

interface Props {
  label: string;
  looks: readonly CellLook[]; // [169]
  chosen: number;
  onChoose: (cell: number) => void;
  onHover?: (cell: number | null) => void;
  // Painting: called for the cell where a stroke begins, then for each that it crosses.
  onStroke?: (cell: number, begins: boolean) => void;
  onKey?: (event: KeyboardEvent, cell: number) => void;
  testid?: string; // of each cell: TESTID-AKs
  marked?: ReadonlySet<number>;
  small?: boolean;
}

const STEPS: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

// The cell that a key moves to from another; null where the key is no move.
export function cellAfter(key: string, cell: number): number | null {
  const step = STEPS[key];
  if (!step) return null;
  const row = Math.min(12, Math.max(0, Math.floor(cell / 13) + step[0]));
  const column = Math.min(12, Math.max(0, (cell % 13) + step[1]));
  return row * 13 + column;
}

function cellUnder(event: PointerEvent, grid: HTMLElement | null): number | null {
  const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
  return found instanceof HTMLElement && grid?.contains(found) ? Number(found.dataset.cell) : null;
}

// The cells from one to another in a straight line, without the first: a fast stroke jumps.
function cellsBetween(from: number, to: number): number[] {
  const rows = Math.floor(to / 13) - Math.floor(from / 13);
  const columns = (to % 13) - (from % 13);
  const steps = Math.max(Math.abs(rows), Math.abs(columns));
  return Array.from({ length: steps }, (_, at) => {
    const part = (at + 1) / steps;
    return (Math.floor(from / 13) + Math.round(part * rows)) * 13 + (from % 13) + Math.round(part * columns);
  });
}

// Pressing chooses a cell and begins a stroke; moving with the button down goes on with it.
function useStroke(props: Props, grid: { current: HTMLDivElement | null }) {
  const stroke = useRef<number | null>(null);

  function press(event: PointerEvent) {
    const cell = cellUnder(event, grid.current);
    if (cell === null || event.button !== 0) return;
    props.onChoose(cell);
    if (!props.onStroke) return;
    stroke.current = cell;
    props.onStroke(cell, true);
    // A finger is captured by where it began; let go so that the cells below it are found.
    if (event.target instanceof Element) event.target.releasePointerCapture?.(event.pointerId);
  }
  function move(event: PointerEvent) {
    const cell = cellUnder(event, grid.current);
    props.onHover?.(cell);
    if (stroke.current === null || !props.onStroke) return;
    if (event.buttons === 0) stroke.current = null;
    else if (cell !== null && cell !== stroke.current) {
      for (const crossed of cellsBetween(stroke.current, cell)) props.onStroke(crossed, false);
      stroke.current = cell;
      props.onChoose(cell);
    }
  }
  function release() {
    stroke.current = null;
  }
  return {
    onPointerDown: press,
    onPointerMove: move,
    onPointerLeave: () => props.onHover?.(null),
    onPointerUp: release,
    onPointerCancel: release,
  };
}

export function HandGrid(props: Props) {
  const grid = useRef<HTMLDivElement>(null);
  const strokes = useStroke(props, grid);

  function focus(event: FocusEvent) {
    const cell = event.target instanceof HTMLElement ? Number(event.target.dataset.cell ?? "NaN") : NaN;
    if (Number.isFinite(cell) && cell !== props.chosen) props.onChoose(cell);
  }
  function key(event: KeyboardEvent) {
    const next = cellAfter(event.key, props.chosen);
    if (next === null || event.ctrlKey || event.metaKey || event.altKey) {
      props.onKey?.(event, props.chosen);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    props.onChoose(next);
    grid.current?.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus();
  }

  return (
    <div
      ref={grid}
      class={`hand-grid${props.onStroke ? " paints" : ""}${props.small ? " small" : ""}`}
      role="grid"
      aria-label={props.label}
      aria-rowcount={13}
      aria-colcount={13}
      {...strokes}
      onFocusIn={focus}
      onKeyDown={key}
    >
      {Array.from({ length: 13 }, (_, row) => (
        <div key={row} class="hand-row" role="row">
          {Array.from({ length: 13 }, (_, column) => {
            const cell = row * 13 + column;
            return (
              <GridCell
                key={cell}
                cell={cell}
                look={props.looks[cell] ?? { label: "" }}
                chosen={cell === props.chosen}
                marked={props.marked?.has(cell) ?? false}
                testid={props.testid && `${props.testid}-${CELL_NAMES[cell]}`}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface CellProps {
  cell: number;
  look: CellLook;
  chosen: boolean;
  marked: boolean;
  testid?: string;
}

const GridCell = memo(function GridCell({ cell, look, chosen, marked, testid }: CellProps) {
  const names = ["hand-cell", look.class ?? "", chosen ? "chosen" : "", marked ? "marked" : ""];
  return (
    <div
      class={names.filter(Boolean).join(" ")}
      role="gridcell"
      data-cell={cell}
      data-testid={testid}
      aria-label={look.label}
      aria-selected={marked || chosen}
      tabIndex={chosen ? 0 : -1}
    >
      {look.background && (
        <span
          class="cell-fill"
          style={{ background: look.background, height: `${100 * (look.level ?? 1)}%` }}
          aria-hidden="true"
        />
      )}
      <span class="cell-name" style={look.ink ? { color: look.ink } : undefined}>
        {CELL_NAMES[cell]}
      </span>
      {look.text && (
        <span class="cell-text" style={look.ink ? { color: look.ink } : undefined}>
          {look.text}
        </span>
      )}
    </div>
  );
});
