import { errorText } from "@andon/contract";
import type { JobDetail } from "../api/client.ts";
import type { Words } from "../i18n/en.ts";
import { useWords } from "../i18n/words.ts";
import { Panel } from "../ui/panel.tsx";
import { Span, Time } from "../ui/time.tsx";

interface Moment {
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly detail: string | null;
  readonly tone: string;
  readonly startedAt?: string;
}

/** Attempts and events in chronological order. */
export function Timeline({ job }: { job: JobDetail }) {
  const words = useWords();
  const { job: say } = words;
  const moments = momentsOf(job, words);
  return (
    <Panel title={say.timeline}>
      <ol className="flex flex-col gap-0 p-3 sm:p-4">
        {moments.map((moment) => (
          <li key={moment.id} className="relative border-l-2 border-line pb-3 pl-4 last:pb-0">
            <span
              aria-hidden="true"
              className={`absolute top-1.5 -left-[5px] size-2 rounded-full ${moment.tone}`}
            />
            <p className="flex flex-wrap justify-between gap-x-3">
              <span className="font-medium">{moment.title}</span>
              <span className="text-xs text-faint">
                <Time at={moment.at} show="both" />
              </span>
            </p>
            {moment.startedAt && (
              <p className="text-xs text-faint">
                <Span from={moment.startedAt} to={moment.at} />
              </p>
            )}
            {moment.detail && (
              <p className="line-clamp-3 wrap-anywhere whitespace-pre-wrap text-soft">{moment.detail}</p>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** Progress is shown next to the payload. Here, two events a second would hide everything else. */
const PROGRESS = "job.progress";
/** Each of these events also has an attempt, which has more details. */
const TOLD_BY_ATTEMPTS = new Set(["job.retrying", "job.failed", "job.lost", "job.handed-back"]);

function momentsOf(job: JobDetail, words: Words): readonly Moment[] {
  const { job: say, outcome } = words;
  const made: Moment = {
    id: "made",
    at: job.createdAt,
    title: say.made,
    detail: null,
    tone: "bg-line-strong",
  };
  const attempts = job.history.map(
    (attempt, index): Moment => ({
      id: `attempt-${index}`,
      at: attempt.finishedAt,
      startedAt: attempt.startedAt,
      title: say.attempt(attempt.number, outcome[attempt.outcome]),
      detail: errorText(attempt) || null,
      tone: attempt.outcome === "failed" ? "bg-stop" : "bg-warn",
    }),
  );
  const events = job.events
    .filter(({ type }) => type !== PROGRESS)
    .filter((event) => !TOLD_BY_ATTEMPTS.has(event.type) || attempts.length === 0)
    .map(
      (event): Moment => ({
        id: `event-${event.id}`,
        at: event.at,
        title: words.event[event.type] ?? event.type,
        detail:
          [event.data.actor, event.data.reason].filter((text) => typeof text === "string").join(" · ") ||
          null,
        tone: "bg-accent",
      }),
    );
  return [made, ...attempts, ...events].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
