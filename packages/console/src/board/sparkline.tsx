import { memo, type PointerEvent, useMemo, useState } from "react";
import { useWords } from "../i18n/words.ts";
import { useNumber } from "../ui/number.tsx";
import { absoluteText } from "../ui/time.tsx";

export interface RecentEnds {
  readonly done: readonly number[];
  readonly failed: readonly number[];
}

interface SparklineProps {
  readonly ends: RecentEnds | undefined;
  /** The start of its first minute; undefined while the data loads. */
  readonly from: number | undefined;
  /** The class of its height. */
  readonly height: string;
}

const MINUTES = 60;
const MINUTE_MS = 60_000;
/** In units of the drawing: one minute is 2 units wide. */
const [STEP, HEIGHT] = [2, 24];
const WIDTH = MINUTES * STEP;
/** The minimum height of a bar, so that one failure among thousands of done jobs is visible. */
const LEAST_BAR = 3;

/** The jobs that ended in the last hour, per minute: done as an area, failed as bars in front. The newest minute is on the right. */
export const Sparkline = memo(function Sparkline({ ends, from, height }: SparklineProps) {
  const { overview } = useWords();
  const number = useNumber();
  const [pointed, setPointed] = useState<number>();
  const drawn = useMemo(() => (ends ? draw(ends) : undefined), [ends]);
  if (from === undefined) return null;
  if (!ends || !drawn) {
    return (
      <svg
        role="img"
        aria-label={overview.sparklineNone}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={`${height} w-full`}
      >
        <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="fill-none stroke-line" />
      </svg>
    );
  }
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const minute = Math.floor(((clientX - left) / width) * MINUTES);
    setPointed(Math.min(MINUTES - 1, Math.max(0, minute)));
  };
  const { done, failed } = drawn.totals;
  const minute = pointed ?? 0;
  return (
    <div className="relative z-10" onPointerMove={onPointerMove} onPointerLeave={() => setPointed(undefined)}>
      <svg
        role="img"
        aria-label={overview.sparkline(done, failed, drawn.most)}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={`${height} w-full`}
      >
        {pointed !== undefined && (
          <path d={`M${pointed * STEP} 0h${STEP}V${HEIGHT}h${-STEP}Z`} className="fill-line" />
        )}
        <path d={drawn.area} className="fill-run-wash" />
        <path
          d={drawn.line}
          className="fill-none stroke-run [stroke-width:1.25]"
          vectorEffect="non-scaling-stroke"
        />
        <path d={drawn.bars} className="fill-stop" />
      </svg>
      {pointed !== undefined && (
        <p
          aria-hidden="true"
          className="pointer-events-none absolute bottom-full left-1/2 z-20 -translate-x-1/2 rounded border border-line bg-raised px-2 py-1 text-xs whitespace-nowrap shadow-md"
        >
          <span className="text-soft">
            {absoluteText(from + minute * MINUTE_MS, Date.now()).replace(/:00$/, "")}
          </span>{" "}
          <strong className="font-semibold">{number(ends.done[minute] ?? 0)}</strong> {overview.done}
          {(ends.failed[minute] ?? 0) > 0 && (
            <span className="text-stop-ink">
              {" "}
              · <strong className="font-semibold">{number(ends.failed[minute] ?? 0)}</strong>{" "}
              {overview.failed}
            </span>
          )}
        </p>
      )}
    </div>
  );
});

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/**
 * Each minute is one step; zeros draw the base line. The newest minute is incomplete: it has an area but no line, because a line that
 * falls would look as if the queue had stopped.
 */
function draw({ done, failed }: RecentEnds) {
  const most = Math.max(1, ...done, ...failed);
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(1, (count / most) * (HEIGHT - 2)));
  const y = (count: number) => (HEIGHT - 0.5 - heightOf(count)).toFixed(1);
  const steps = done.map((count, minute) => `V${y(count)}H${(minute + 1) * STEP}`);
  const bars = failed.map((count, minute) =>
    count === 0
      ? ""
      : `M${minute * STEP} ${HEIGHT}v${-Math.max(LEAST_BAR, heightOf(count))}h${STEP}V${HEIGHT}Z`,
  );
  const ended = steps.slice(0, -1).join("");
  const start = y(done[0] ?? 0);
  return {
    line: `M0 ${start}${ended}`,
    area: `M0 ${HEIGHT}V${start}${steps.join("")}V${HEIGHT}Z`,
    bars: bars.join(""),
    most,
    totals: { done: sum(done), failed: sum(failed) },
  };
}
