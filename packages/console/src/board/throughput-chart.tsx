import { useEffect, useMemo, useRef } from "react";
import type { QueueOverview } from "../api/client.ts";
import { useLanguage } from "../i18n/language.ts";
import { useWords } from "../i18n/words.ts";
import { useTheme } from "../shell/theme.ts";
import { useNow } from "../ui/now.ts";
import { useNumber } from "../ui/number.tsx";
import { type Drawing, drawThroughput } from "./chart-drawing.ts";
import { stopsOf, throughputOf, useThroughputVersion } from "./throughput.ts";

/** The jobs that ended per second, over all queues. */
export default function ThroughputChart({ queues }: { queues: readonly QueueOverview[] }) {
  const { board } = useWords();
  const language = useLanguage();
  const theme = useTheme();
  const number = useNumber();
  const now = useNow();
  const version = useThroughputVersion();
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes with the counts
  const rows = useMemo(() => throughputOf(now), [now, version]);
  const shades = useMemo(() => stopsOf(queues, now), [queues, now]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (!place.current) return undefined;
    const drawn = drawThroughput(place.current, language);
    drawing.current = drawn;
    return () => drawn.remove();
  }, [language, theme]);
  useEffect(() => drawing.current?.show(rows, shades), [rows, shades]);

  const total = (name: "done" | "failed" | "retried") =>
    rows.reduce((sum, [, second]) => sum + (second?.[name] ?? 0), 0);
  const legend = (["done", "failed", "retried"] as const).map(
    (name) => `${board[name]} ${number(total(name))}`,
  );
  return (
    <div className="px-2 pt-2 pb-3">
      <div
        ref={place}
        role="img"
        aria-label={`${board.throughput}: ${legend.join(", ")}`}
        className="h-[130px] w-full overflow-hidden"
      />
      <ul className="flex flex-wrap gap-x-4 px-2 text-xs text-soft" aria-hidden="true">
        <li className="flex items-center gap-1.5">
          <span className="h-2 w-4 rounded-sm bg-run" /> {legend[0]}
        </li>
        <li className="flex items-center gap-1.5">
          <span className="h-0.5 w-4 bg-stop" /> {legend[1]}
        </li>
        <li className="flex items-center gap-1.5">
          <span className="h-0.5 w-4 bg-warn" /> {legend[2]}
        </li>
        <li className="flex items-center gap-1.5">
          <span className="h-2 w-4 border border-line bg-stop-wash" /> {board.stood}
        </li>
      </ul>
    </div>
  );
}
