import { useEffect, useRef } from "react";
import { useLanguage } from "../i18n/language.ts";
import { useWords } from "../i18n/words.ts";
import { useIsDark } from "../shell/theme.ts";
import { exactSpanText } from "../ui/time.tsx";
import type { ChartPanel } from "./chart-panels.ts";
import { type ChartData, type ChartEvents, type Chart as Drawn, drawChart } from "./draw-chart.ts";

const DAY_MS = 86_400_000;

interface ChartProps {
  readonly panel: ChartPanel;
  readonly data: ChartData;
  readonly pointed: number | undefined;
  readonly events: ChartEvents;
}

/** The drawing of one panel. Its numbers are above it and in the table. */
export function Chart({ panel, data, pointed, events }: ChartProps) {
  const words = useWords();
  const language = useLanguage();
  const isDark = useIsDark();
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn>(undefined);
  const latest = useRef({ events, data });
  latest.current = { events, data };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (!place.current) return undefined;
    const time = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const day = new Intl.DateTimeFormat(language, { month: "numeric", day: "numeric" });
    const compact = new Intl.NumberFormat(language, { notation: "compact" });
    const chart = drawChart(place.current, {
      panel,
      clock: (at, step) => (step >= DAY_MS ? day : time).format(at),
      amount: (value) =>
        panel.unit === "jobs" ? compact.format(value) : value === 0 ? "0" : exactSpanText(value, words),
      onPoint: (index) => latest.current.events.onPoint(index),
      onRange: (from, to) => latest.current.events.onRange(from, to),
      onOpen: (index) => latest.current.events.onOpen(index),
    });
    chart.show(latest.current.data);
    drawn.current = chart;
    return () => chart.remove();
  }, [panel, language, isDark, words]);
  useEffect(() => drawn.current?.show(data), [data]);
  useEffect(() => drawn.current?.point(pointed), [pointed]);

  return <div ref={place} className="chart h-[128px] w-full overflow-hidden" aria-hidden="true" />;
}
