import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import type { AuditRow, HistoryPoint } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { useAddress } from "../ui/address.ts";
import { jobsPath, Link } from "../ui/link.tsx";
import { absoluteText } from "../ui/time.tsx";
import { Chart } from "./chart.tsx";
import { CHART_PANELS, type ChartPanel, type Curve, TABLE_VALUES } from "./chart-panels.ts";
import type { Shade } from "./draw-chart.ts";
import { drawnRange, type HistoryRange, STEP_MS } from "./history-range.ts";
import { HistoryTable } from "./history-table.tsx";
import { useValueText } from "./value-text.ts";

interface HistoryChartsProps {
  readonly queue: string;
  readonly range: HistoryRange;
  readonly points: readonly HistoryPoint[];
  readonly shades: readonly Shade[];
  readonly decisions: readonly AuditRow[];
}

const STEPS_OF_KEYS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** The charts of a queue over one time range. The pointer marks the same step in all of them. */
export default function HistoryCharts({ queue, range, points, shades, decisions }: HistoryChartsProps) {
  const words = useWords();
  const { history: say, action: actions } = words;
  const navigate = useNavigate();
  const { change } = useAddress();
  const valueText = useValueText();
  const help = useId();
  const [pointed, setPointed] = useState<number>();
  const stepMs = STEP_MS[range.step];
  const data = useMemo(
    () => ({ points, stepMs, shades, marks: decisions.map(({ at }) => Date.parse(at)) }),
    [points, stepMs, shades, decisions],
  );

  const last = points.length - 1;
  const index = Math.min(pointed ?? last, last);
  const shown = points[index];
  if (!shown) return <p className="px-4 py-6 text-soft">{say.nothing}</p>;
  const at = Date.parse(shown.at);
  const when = (time: number) => absoluteText(time, Date.now()).replace(/:00$/, "");
  const decided = decisions.filter((row) => Math.floor(Date.parse(row.at) / stepMs) * stepMs === at);
  const decidedText = decided.map((row) =>
    [actions[row.action] ?? row.action, row.actor, row.reason].filter(Boolean).join(" · "),
  );
  const jobsOf = (point: HistoryPoint) =>
    jobsPath({ queue, from: point.at, to: new Date(Date.parse(point.at) + stepMs).toISOString() });
  const isQuiet = points.every((point) => TABLE_VALUES.every((value) => !point[value]));

  const events = {
    onPoint: setPointed,
    onRange: (from: number, to: number) => {
      const drawn = drawnRange(from, to, range.step);
      if (drawn) change(drawn);
    },
    onOpen: (opened: number) => {
      const point = points[opened];
      if (point) void navigate({ href: jobsOf(point) });
    },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS_OF_KEYS[event.key];
    if (step !== undefined) setPointed(Math.min(last, Math.max(0, index + step)));
    else if (event.key === "Enter") events.onOpen(index);
    else if (event.key === "Escape") setPointed(undefined);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 px-3 pt-2 text-xs sm:px-4">
        <p>
          <span className="font-semibold">
            {when(at)} – {when(at + stepMs)}
          </span>{" "}
          {pointed === undefined && <span className="text-faint">{isQuiet ? say.quiet : say.latest}</span>}
          {decidedText.length > 0 && <span className="text-accent"> ▾ {decidedText.join("; ")}</span>}
        </p>
        <Link to={jobsOf(shown)}>{say.jobsOf[range.step]}</Link>
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={say.title}
        aria-describedby={help}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index}
        aria-valuetext={[
          when(at),
          ...TABLE_VALUES.map((value) => `${say.values[value]} ${valueText(value, shown[value])}`),
          ...decidedText,
        ].join(", ")}
        onKeyDown={onKeyDown}
        onBlur={() => setPointed(undefined)}
        className="grid gap-x-6 gap-y-3 rounded px-1 py-2 sm:px-2 lg:grid-cols-2"
      >
        {CHART_PANELS.map((panel) => (
          <div key={panel.name} className="min-w-0">
            <PanelHead panel={panel} point={shown} step={range.step} />
            <Chart panel={panel} data={data} pointed={pointed} events={events} />
          </div>
        ))}
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1 px-3 pb-2 text-xs text-faint sm:px-4">
        <Key look="h-2 w-4 bg-stop-wash border border-stop">{say.stopped}</Key>
        <Key look="h-2 w-4 bg-hand-wash border border-hand">{say.paused}</Key>
        <Key look="h-3 w-px bg-accent">{say.decision}</Key>
        <p id={help} className="max-md:hidden">
          {say.help}
        </p>
      </div>
      <HistoryTable points={points} />
    </>
  );
}

interface PanelHeadProps {
  readonly panel: ChartPanel;
  readonly point: HistoryPoint;
  readonly step: HistoryRange["step"];
}

/** The title of a panel, and its values at the step under the pointer: legend and tooltip in one. */
function PanelHead({ panel, point, step }: PanelHeadProps) {
  const { history: say } = useWords();
  const valueText = useValueText();
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 px-2 pb-1 text-xs">
      <h3 className="font-medium text-soft">{say.panels[panel.name][step]}</h3>
      <ul className="flex flex-wrap gap-x-3">
        {panel.curves.map((curve) => (
          <li key={curve.value} className="flex items-center gap-1.5">
            <span className={KEYS[curve.look]} data-curve={curve.colour} />
            <span className="text-faint">{say.values[curve.value]}</span>
            <span className="min-w-6 text-right font-semibold">
              {valueText(curve.value, point[curve.value])}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const KEYS: Record<Curve["look"], string> = {
  filled: "curve h-2 w-3 rounded-xs",
  plain: "curve h-0.5 w-3",
  dashed: "curve curve-dashed h-0.5 w-3",
};

function Key({ look, children }: { look: string; children: string }) {
  return (
    <p className="flex items-center gap-1.5">
      <span className={look} /> {children}
    </p>
  );
}
