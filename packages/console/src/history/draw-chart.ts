import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { HistoryPoint } from "../api/client.ts";
import { canvasColour } from "../ui/canvas-colour.ts";
import type { ChartPanel, Curve } from "./chart-panels.ts";

export interface Shade {
  readonly from: number;
  readonly to: number;
  readonly kind: "failure" | "hand";
}

export interface ChartData {
  readonly points: readonly HistoryPoint[];
  readonly stepMs: number;
  readonly shades: readonly Shade[];
  /** Times of decisions. */
  readonly marks: readonly number[];
}

export interface ChartEvents {
  /** Called with the point under the pointer; undefined when the pointer has left. */
  onPoint(index: number | undefined): void;
  onRange(from: number, to: number): void;
  onOpen(index: number): void;
}

export interface Chart {
  show(data: ChartData): void;
  /** Moves the pointer line, which all charts share. */
  point(index: number | undefined): void;
  remove(): void;
}

interface ChartOptions extends ChartEvents {
  readonly panel: ChartPanel;
  readonly clock: (at: number, step: number) => string;
  readonly amount: (value: number) => string;
}

const CHART_HEIGHT = 128;
const AWAY = -10;
const COUNT_STEPS = [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((base) => base * 10 ** power));
const TIME_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500].concat(
  [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 18_000, 86_400, 864_000].map((s) => s * 1_000),
);

/** Indexes of values without a neighbour: they have no line and are drawn as points. */
function lonePoints(plot: uPlot, index: number): number[] {
  const values = plot.data[index] ?? [];
  const isThere = (at: number) => values[at] !== null && values[at] !== undefined;
  return [...values.keys()].filter((at) => isThere(at) && !isThere(at - 1) && !isThere(at + 1));
}

function seriesOf(place: HTMLElement, { colour: name, look }: Curve, unit: ChartPanel["unit"]): uPlot.Series {
  const stroke = canvasColour(place, name);
  return {
    stroke,
    width: look === "plain" ? 2 : 1.5,
    points: { show: unit === "milliseconds", size: 4, fill: stroke, filter: lonePoints },
    ...(look === "filled" ? { fill: canvasColour(place, `${name}-wash`) } : {}),
    ...(look === "dashed" ? { dash: [5, 4] } : {}),
    ...(unit === "jobs" && uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
  };
}

/** Draws one panel of the history. Times are in milliseconds here, and in seconds inside uPlot. */
export function drawChart(place: HTMLElement, { panel, clock, amount, ...events }: ChartOptions): Chart {
  let data: ChartData = { points: [], stepMs: 60_000, shades: [], marks: [] };
  const first = () => Date.parse(data.points[0]?.at ?? "");
  const axis = {
    stroke: canvasColour(place, "faint"),
    grid: { stroke: canvasColour(place, "line"), width: 1 },
    ticks: { show: false },
    font: `11px ${getComputedStyle(place).fontFamily}`,
  };
  const washes = { failure: canvasColour(place, "stop-wash"), hand: canvasColour(place, "hand-wash") };
  const markColour = canvasColour(place, "accent");

  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: CHART_HEIGHT,
      // The last time label is centred on its tick, which may be at the right edge.
      padding: [6, 18, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { size: 7 }, drag: { x: true, y: false, setScale: false } },
      scales: {
        x: { range: () => [first() / 1_000, (first() + data.points.length * data.stepMs) / 1_000] },
        y: { range: (_, __, most) => [0, Math.max(most ?? 0, 1) * 1.1] },
      },
      axes: [
        {
          ...axis,
          size: 24,
          gap: 2,
          space: 70,
          values: (_, ticks, __, ___, step) => ticks.map((tick) => clock(tick * 1_000, step * 1_000)),
        },
        {
          ...axis,
          size: 48,
          gap: 4,
          space: 26,
          incrs: panel.unit === "jobs" ? COUNT_STEPS : TIME_STEPS,
          values: (_, ticks) => ticks.map(amount),
        },
      ],
      series: [{}, ...panel.curves.map((curve) => seriesOf(place, curve, panel.unit))],
      hooks: {
        drawClear: [drawShades],
        draw: [drawMarks],
        setCursor: [(self) => events.onPoint(indexAt(self.cursor.left ?? AWAY))],
        setSelect: [
          (self) => {
            const { left, width } = self.select;
            if (width === 0) return;
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            events.onRange(self.posToVal(left, "x") * 1_000, self.posToVal(left + width, "x") * 1_000);
          },
        ],
      },
    },
    [[], ...panel.curves.map(() => [])],
    place,
  );

  function indexAt(left: number): number | undefined {
    if (left < 0 || data.points.length === 0) return undefined;
    const index = Math.floor((plot.posToVal(left, "x") * 1_000 - first()) / data.stepMs);
    return Math.min(data.points.length - 1, Math.max(0, index));
  }
  function drawShades({ ctx, bbox, valToPos }: uPlot): void {
    for (const { from, to, kind } of data.shades) {
      const left = Math.max(bbox.left, valToPos(from / 1_000, "x", true));
      const right = Math.min(bbox.left + bbox.width, valToPos(to / 1_000, "x", true));
      ctx.fillStyle = washes[kind];
      if (right > left) ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
    }
  }
  function drawMarks({ ctx, bbox, valToPos }: uPlot): void {
    const size = 5 * devicePixelRatio;
    ctx.fillStyle = markColour;
    for (const at of data.marks) {
      const x = valToPos(at / 1_000, "x", true);
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.fillRect(x, bbox.top, devicePixelRatio, bbox.height);
      ctx.beginPath();
      ctx.moveTo(x - size, bbox.top);
      ctx.lineTo(x + size, bbox.top);
      ctx.lineTo(x, bbox.top + size * 1.4);
      ctx.fill();
    }
  }

  // A tap shows the values; only a mouse, which already shows them on hover, opens the jobs.
  plot.over.addEventListener("click", (event) => {
    const index = indexAt(plot.cursor.left ?? AWAY);
    if (index !== undefined && (event as PointerEvent).pointerType !== "touch") events.onOpen(index);
  });
  const resized = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: CHART_HEIGHT }));
  resized.observe(place);

  return {
    show(next) {
      data = next;
      const times = next.points.map(({ at }) => Date.parse(at) / 1_000);
      // Each step is drawn up to the next one, so the last step needs an end too.
      const end = first() / 1_000 + (next.points.length * next.stepMs) / 1_000;
      const isStepped = panel.unit === "jobs";
      plot.setData([
        [...times, end],
        ...panel.curves.map(({ value }) => {
          const values = next.points.map((point) => point[value]);
          return [...values, isStepped ? (values.at(-1) ?? null) : null];
        }),
      ]);
    },
    point(index) {
      const left =
        index === undefined ? AWAY : plot.valToPos((first() + (index + 0.5) * data.stepMs) / 1_000, "x");
      plot.setCursor({ left, top: index === undefined ? AWAY : 1 }, false);
    },
    remove() {
      resized.disconnect();
      plot.destroy();
    },
  };
}
