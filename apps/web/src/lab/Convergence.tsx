import { useMemo } from "preact/hooks";
import type { Point } from "../types";
import { Chart } from "../ui";

// Exploitability by iterations, log-log, of one run.
export function Convergence({ name, points, height }: { name: string; points: Point[]; height?: number }) {
  const series = useMemo(
    () => [{ name, points: points.map((point): [number, number] => [point[0], point[2]]) }],
    [name, points],
  );
  const tall = height ?? 240;
  return <Chart series={series} xLabel="iterations" yLabel="exploitability" logX logY height={tall} />;
}
