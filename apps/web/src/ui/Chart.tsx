// Curves by uPlot: several series, log or linear axes, a legend that toggles and reads values.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useStore } from "../shell/store";
import { themeShown } from "../shell/theme";

export interface ChartSeries {
  name: string;
  points: [x: number, y: number][]; // by rising x
}

interface Props {
  series: ChartSeries[];
  xLabel: string;
  yLabel: string;
  logX?: boolean;
  logY?: boolean;
  height?: number;
  // Called with what makes a picture of the chart, once it is drawn.
  onReady?: (picture: () => Promise<Blob | null>) => void;
}

// Dashes tell series apart without colours.
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 2, 5, 6]];
const COLOURS = 6;

// From one round of colours to the next the dashes move on by one.
function dashOf(index: number): number[] {
  return DASHES[(Math.floor(index / COLOURS) + index) % DASHES.length] ?? [];
}
function colourOf(index: number): string {
  return `--series-${(index % COLOURS) + 1}`;
}

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function chartNumber(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(4)));
}

function tick(value: number): string {
  const size = Math.abs(value);
  if (value !== 0 && (size >= 1e5 || size < 1e-3)) {
    return value.toExponential().replace(/(\.\d{1,2})\d*/, "$1").replace("e+", "e");
  }
  return String(Number(value.toPrecision(6)));
}

// One x for all series, with nulls where a series has no point; log axes have no place for 0.
function align(series: ChartSeries[], logX: boolean, logY: boolean): uPlot.AlignedData {
  const places = new Map<number, number>();
  const xs = [...new Set(series.flatMap((one) => one.points.map((point) => point[0])))]
    .filter((x) => Number.isFinite(x) && (!logX || x > 0))
    .sort((a, b) => a - b);
  xs.forEach((x, index) => places.set(x, index));
  const columns = series.map((one) => {
    const column: (number | null)[] = new Array(xs.length).fill(null);
    for (const [x, y] of one.points) {
      const place = places.get(x);
      if (place !== undefined && Number.isFinite(y) && (!logY || y > 0)) column[place] = y;
    }
    return column;
  });
  return [xs, ...columns] as uPlot.AlignedData;
}

// Whole decades for logs, at least one.
function logRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(low > 0)) return [0.1, 10];
  const from = Math.floor(Math.log10(low) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(Math.log10(high) - 1e-9));
  return [10 ** from, 10 ** to];
}

function linearRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const pad = (high - low || Math.abs(high) || 1) * 0.05;
  return [low - pad, high + pad];
}

// Decades; with 2 and 5 between where there are few of them.
function logSplits(low: number, high: number): number[] {
  const from = Math.floor(Math.log10(low) + 1e-9);
  const to = Math.ceil(Math.log10(high) - 1e-9);
  const steps = to - from <= 2 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil((to - from) / 8));
  const all: number[] = [];
  for (let power = from; power <= to; power += every) {
    for (const step of steps) all.push(Number(`${step}e${power}`));
  }
  return all.filter((value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
}

function axis(label: string, log: boolean, size: number): uPlot.Axis {
  return {
    label,
    labelFont: "12px system-ui, sans-serif",
    font: "12px system-ui, sans-serif",
    labelSize: 20,
    size,
    stroke: token("--muted"),
    grid: { stroke: token("--line"), width: 1 },
    ticks: { stroke: token("--line"), width: 1 },
    values: (_, splits) => splits.map((value) => (value === null || value === undefined ? "" : tick(value))),
    ...(log
      ? {
          splits: (_: uPlot, __: number, low: number, high: number) => logSplits(low, high),
          filter: (_: uPlot, splits: number[]) => splits,
        }
      : {}),
  };
}

function options(props: Props, width: number, onCursor: (x: number | null) => void): uPlot.Options {
  const { logX = false, logY = false, height = 280 } = props;
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, distr: logX ? 3 : 1, range: (_, low, high) => [low, high] },
      y: { distr: logY ? 3 : 1, range: (_, low, high) => (logY ? logRange : linearRange)(low, high) },
    },
    axes: [axis(props.xLabel, logX, 36), axis(props.yLabel, logY, 58)],
    series: [
      {},
      ...props.series.map((one, index) => ({
        label: one.name,
        stroke: token(colourOf(index)),
        dash: dashOf(index),
        width: 2,
        spanGaps: true,
        points: { show: one.points.length < 2 },
      })),
    ],
    hooks: {
      setCursor: [
        (plot) => {
          const left = plot.cursor.left ?? -1;
          onCursor(left < 0 ? null : plot.posToVal(left, "x"));
        },
      ],
    },
  };
}

// The series' value at x: that of the last point up to there.
function valueAt(series: ChartSeries, x: number | null): number | null {
  if (x === null) return series.points.at(-1)?.[1] ?? null;
  let found: number | null = null;
  for (const [at, y] of series.points) {
    if (at > x * (1 + 1e-9)) break;
    found = y;
  }
  return found;
}

// The canvas with a background and the names of what is shown below it.
function picture(plot: uPlot, names: { name: string; index: number }[]): Promise<Blob | null> {
  const ratio = uPlot.pxRatio;
  const source = plot.ctx.canvas;
  const line = 20 * ratio;
  const canvas = document.createElement("canvas");
  canvas.width = source.width;
  canvas.height = source.height + names.length * line + line / 2;
  const pen = canvas.getContext("2d");
  if (!pen) return Promise.resolve(null);
  pen.fillStyle = token("--surface");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(source, 0, 0);
  pen.font = `${13 * ratio}px system-ui, sans-serif`;
  pen.textBaseline = "middle";
  pen.lineWidth = 2 * ratio;
  pen.fillStyle = token("--text");
  names.forEach(({ name, index }, row) => {
    const y = source.height + line * (row + 0.5);
    pen.strokeStyle = token(colourOf(index));
    pen.setLineDash(dashOf(index).map((length) => length * ratio));
    pen.beginPath();
    pen.moveTo(12 * ratio, y);
    pen.lineTo(46 * ratio, y);
    pen.stroke();
    pen.fillText(name, 56 * ratio, y);
  });
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// A piece of the line: dashes say whose it is to who does not see the colours.
function LegendMark({ index }: { index: number }) {
  return (
    <svg class="legend-mark" viewBox="0 0 34 4" aria-hidden="true">
      <line
        x2="34"
        y1="2"
        y2="2"
        stroke={`var(${colourOf(index)})`}
        stroke-width="2.5"
        stroke-dasharray={dashOf(index).join(" ")}
      />
    </svg>
  );
}

export function Chart(props: Props) {
  const { series, logX = false, logY = false, height = 280 } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const theme = useStore(themeShown);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [cursor, setCursor] = useState<number | null>(null);
  const names = series.map((one) => one.name).join("\n");
  const data = useMemo(() => align(series, logX, logY), [series, logX, logY]);

  useEffect(() => {
    const box = place.current;
    if (!box) return;
    const made = new uPlot(options(props, box.clientWidth || 300, setCursor), data, box);
    plot.current = made;
    series.forEach((one, index) => {
      if (hidden.has(one.name)) made.setSeries(index + 1, { show: false });
    });
    const resize = new ResizeObserver(() => {
      if (box.clientWidth > 0) made.setSize({ width: box.clientWidth, height });
    });
    resize.observe(box);
    return () => {
      resize.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [names, logX, logY, height, theme, props.xLabel, props.yLabel]);

  useEffect(() => plot.current?.setData(data), [data]);

  useEffect(() => {
    props.onReady?.(async () => {
      if (!plot.current) return null;
      const shown = series.flatMap((one, index) =>
        hidden.has(one.name) ? [] : [{ name: one.name, index }],
      );
      return picture(plot.current, shown);
    });
  });

  function toggle(index: number) {
    const one = series[index];
    if (!one) return;
    const next = new Set(hidden);
    if (!next.delete(one.name)) next.add(one.name);
    setHidden(next);
    plot.current?.setSeries(index + 1, { show: !next.has(one.name) });
  }

  return (
    <div class="chart">
      <div ref={place} class="chart-plot" style={{ height: `${height}px` }} aria-hidden="true" />
      <ul class="chart-legend">
        {series.map((one, index) => {
          const value = valueAt(one, cursor);
          return (
            <li key={one.name}>
              <button
                type="button"
                class="legend-item"
                aria-pressed={!hidden.has(one.name)}
                title={hidden.has(one.name) ? "Show" : "Hide"}
                onClick={() => toggle(index)}
              >
                <LegendMark index={index} />
                <span>{one.name}</span>
                <span class="num muted">{value === null ? "" : chartNumber(value)}</span>
              </button>
            </li>
          );
        })}
        {cursor !== null && (
          <li class="muted num chart-at">
            at {chartNumber(cursor)} {props.xLabel}
          </li>
        )}
      </ul>
    </div>
  );
}
