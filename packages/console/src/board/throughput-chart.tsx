import { useQueries } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { Stop } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { useLanguage } from "../i18n/language.ts";
import { useWords } from "../i18n/words.ts";
import { useAllowed } from "../session/session.ts";
import { useTheme } from "../shell/theme.ts";
import { useNow } from "../ui/now.ts";
import { useNumber } from "../ui/number.tsx";
import { type Drawing, drawThroughput } from "./chart-drawing.ts";
import { SHOWN_SECONDS, throughputOf, useThroughputVersion } from "./throughput.ts";

const NEWEST_STOPS = 10;
const MOST_QUEUES = 20;

/** What ended per second, in one queue or in all of them. */
export default function ThroughputChart({ queue, queues }: { queue?: string; queues: readonly string[] }) {
  const { board } = useWords();
  const language = useLanguage();
  const theme = useTheme();
  const number = useNumber();
  const now = useNow();
  const version = useThroughputVersion();
  const stops = useStops(queue === undefined ? queues : [queue]);
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a version is what was counted
  const rows = useMemo(() => throughputOf(queue, now), [queue, now, version]);
  const shades = useMemo(() => stops.map((stop) => shadeOf(stop, now)), [stops, now]);

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

function shadeOf(stop: Stop, now: number) {
  return {
    from: Date.parse(stop.at) / 1_000,
    to: (stop.resumedAt ? Date.parse(stop.resumedAt) : now) / 1_000,
  };
}

function useStops(queues: readonly string[]): readonly Stop[] {
  const maySee = useAllowed({ permission: "queue.read", whole: true });
  const asked = maySee ? queues.slice(0, MOST_QUEUES) : [];
  return useQueries({
    queries: asked.map((queue) => queries.stops(queue, NEWEST_STOPS)),
    combine: (answers) => {
      const oldest = Date.now() - SHOWN_SECONDS * 1_000;
      return answers
        .flatMap((answer) => answer.data?.items ?? [])
        .filter((stop) => stop.resumedAt === null || Date.parse(stop.resumedAt) > oldest);
    },
  });
}
