import type { JobDetail } from "../api/client.ts";
import type { Words } from "../i18n/en.ts";
import { useWords } from "../i18n/words.ts";
import { useNow } from "../ui/now.ts";
import { Panel } from "../ui/panel.tsx";
import { absoluteText, exactSpanText } from "../ui/time.tsx";
import { type JobSpan, spansOf } from "./spans.ts";

/** A first wait that is this many times longer than the rest is cut, because the rest would be invisible. */
const LONGEST_WAIT_SHARE = 3;
/** The minimum width, so that a very short attempt is visible. */
const THINNEST_PERCENT = 0.6;

const FILL: Record<JobSpan["kind"], string> = {
  wait: "fill-line-strong/35",
  backoff: "fill-line-strong/35",
  park: "fill-hand/60",
  run: "fill-accent",
  done: "fill-run",
  failed: "fill-stop",
  lost: "fill-warn",
};

/** All periods of the job on one time axis, each with its duration. */
export function Trace({ job }: { job: JobDetail }) {
  const words = useWords();
  const { trace: say } = words;
  const now = useNow();
  const spans = spansOf(job);
  const ends = (span: JobSpan) => span.to ?? Math.max(now, span.from);
  const first = spans[0];
  if (!first) return null;
  const end = Math.max(...spans.map(ends));
  const work = spans.find(({ kind }) => kind !== "wait");
  const waited = first.kind === "wait" && work ? work.from - first.from : 0;
  const isCut = work !== undefined && waited > LONGEST_WAIT_SHARE * (end - work.from) && waited > 1_000;
  const start = isCut ? work.from : first.from;
  const whole = Math.max(1, end - start);
  const shown = isCut ? spans.filter((span) => span !== first) : spans;
  const span = (ms: number) => exactSpanText(ms, words);
  return (
    <Panel
      title={say.title}
      aside={<span className="text-xs text-faint">{say.label(spans.length, span(end - first.from))}</span>}
    >
      <ol className="flex flex-col gap-1.5 px-3 py-3 sm:px-4" data-trace>
        {isCut && <li className="text-xs text-faint">{say.waitedBefore(span(waited))}</li>}
        {shown.map((each) => {
          const from = (100 * (each.from - start)) / whole;
          const length = Math.max(THINNEST_PERCENT, (100 * (ends(each) - each.from)) / whole);
          const left = Math.min(from, 100 - length);
          return (
            <li
              key={each.id}
              data-span={each.kind}
              title={`${absoluteText(each.from, now)} – ${each.to === null ? "" : absoluteText(each.to, now)}`}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 sm:grid-cols-[11rem_minmax(0,1fr)_5rem]"
            >
              <span className={`truncate ${IS_PAUSE.has(each.kind) ? "text-faint" : "font-medium"}`}>
                {nameOf(each, words)}
              </span>
              <svg
                aria-hidden="true"
                className="h-4 w-full max-sm:order-last max-sm:col-span-2 max-sm:h-3"
                preserveAspectRatio="none"
              >
                <rect x="0" y="45%" width="100%" height="10%" className="fill-line" />
                <rect
                  x={`${left}%`}
                  y={IS_PAUSE.has(each.kind) ? "35%" : "8%"}
                  width={`${length}%`}
                  height={IS_PAUSE.has(each.kind) ? "30%" : "84%"}
                  rx="2"
                  className={FILL[each.kind]}
                />
              </svg>
              <span className="text-right text-xs whitespace-nowrap tabular-nums text-soft">
                {span(ends(each) - each.from)}
              </span>
            </li>
          );
        })}
      </ol>
      <div className="flex justify-between border-t border-line px-3 py-1.5 text-xs text-faint sm:px-4">
        <span>{absoluteText(start, now)}</span>
        <span>{absoluteText(end, now)}</span>
      </div>
    </Panel>
  );
}

const IS_PAUSE: ReadonlySet<JobSpan["kind"]> = new Set(["wait", "backoff", "park"]);

function nameOf(
  { kind, number = 1, stage, outcome }: JobSpan,
  { trace: say, outcome: outcomes }: Words,
): string {
  if (kind === "wait") return say.waited;
  if (kind === "backoff") return say.backoff;
  if (kind === "park") return say.parked;
  const what = stage ? say.stage(stage, number) : say.attempt(number);
  const how = kind === "run" ? say.running : kind === "done" ? say.done : outcome && outcomes[outcome];
  return `${what} · ${how}`;
}
