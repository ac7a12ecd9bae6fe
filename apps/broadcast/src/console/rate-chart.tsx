import { Panel, useNumber } from "@andon/console/room";
import { useEffect, useState } from "react";
import type { BulkJob } from "./api.ts";
import { useBroadcastWords } from "./i18n/words.ts";

const MOST_POINTS = 300;
const [WIDTH, HEIGHT] = [600, 120];

/**
 * The job's rate since this page was opened. Uses SVG attributes, because the content security policy allows no inline
 * styles.
 */
export function RateChart({
  job: { processed, ratePerSecond },
}: {
  job: Pick<BulkJob, "processed" | "ratePerSecond">;
}) {
  const say = useBroadcastWords();
  const number = useNumber();
  const [points, setPoints] = useState<readonly number[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a rate that stays the same is a point of its own when the job has moved
  useEffect(() => {
    if (ratePerSecond !== null) setPoints((known) => [...known, ratePerSecond].slice(-MOST_POINTS));
  }, [processed, ratePerSecond]);
  const most = Math.max(1, ...points);
  const step = WIDTH / Math.max(1, points.length - 1);
  const line = points.map(
    (rate, at) => `${Math.round(at * step)},${Math.round(HEIGHT - (rate / most) * (HEIGHT - 8))}`,
  );
  const label = say.chartOf(number(Math.round(Math.min(...points))), number(Math.round(most)));
  return (
    <Panel title={say.chart} hint={say.chartHint}>
      {points.length === 0 ? (
        <p className="px-4 py-6 text-faint">{say.chartEmpty}</p>
      ) : (
        <div className="p-3">
          <svg
            role="img"
            aria-label={label}
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            className="w-full text-accent"
          >
            <polyline points={line.join(" ")} fill="none" stroke="currentColor" strokeWidth="2" />
            {points.length === 1 && <circle cx="4" cy="8" r="4" fill="currentColor" />}
          </svg>
          <p className="text-xs text-faint">{label}</p>
        </div>
      )}
    </Panel>
  );
}
