import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { canvasColour } from "../ui/canvas-colour.ts";
import type { Second } from "./throughput.ts";

interface Shade {
  readonly from: number;
  readonly to: number;
}

type Rows = readonly (readonly [number, Second | null])[];

export interface Drawing {
  show(rows: Rows, shades: readonly Shade[]): void;
  remove(): void;
}

const HEIGHT = 130;

/** Draws the three outcomes over time, in front of the shaded periods in which a queue was stopped. */
export function drawThroughput(place: HTMLElement, language: string): Drawing {
  let shades: readonly Shade[] = [];
  const [faint, line, stopWash] = [
    canvasColour(place, "faint"),
    canvasColour(place, "line"),
    canvasColour(place, "stop-wash"),
  ];
  const clock = new Intl.DateTimeFormat(language, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  const axis = {
    stroke: faint,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
    font: "11px sans-serif",
  };
  const series = (name: string, width: number, fill?: string): uPlot.Series => ({
    stroke: canvasColour(place, name),
    width,
    points: { show: false },
    ...(fill ? { fill: canvasColour(place, fill) } : {}),
    ...(uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
  });

  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      cursor: { show: false },
      legend: { show: false },
      scales: { x: { time: true }, y: { range: (_, __, most) => [0, Math.max(most, 1) * 1.1] } },
      axes: [
        {
          ...axis,
          size: 26,
          space: 90,
          values: (_, ticks) => ticks.map((tick) => clock.format(tick * 1_000)),
        },
        {
          ...axis,
          size: 36,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000],
        },
      ],
      series: [{}, series("run", 1.5, "run-wash"), series("stop", 2), series("warn", 1.5)],
      hooks: {
        drawClear: [
          ({ ctx, bbox, valToPos }) => {
            ctx.save();
            ctx.fillStyle = stopWash;
            for (const { from, to } of shades) {
              const left = Math.max(bbox.left, valToPos(from, "x", true));
              const right = Math.min(bbox.left + bbox.width, valToPos(to, "x", true));
              if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
            }
            ctx.restore();
          },
        ],
      },
    },
    [[], [], [], []],
    place,
  );
  const resized = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT }));
  resized.observe(place);

  return {
    show(rows, next) {
      shades = next;
      const of = (name: keyof Second) => rows.map(([, second]) => second?.[name] ?? null);
      plot.setData([rows.map(([second]) => second), of("done"), of("failed"), of("retried")]);
    },
    remove() {
      resized.disconnect();
      plot.destroy();
    },
  };
}
