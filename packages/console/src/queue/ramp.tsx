import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { QueueOverview } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { JobMention } from "../job/job-mention.tsx";
import { useNumber } from "../ui/number.tsx";
import { Panel } from "../ui/panel.tsx";
import { ProgressBar } from "../ui/progress-bar.tsx";

const RAMP_FAILED = "RAMP_FAILED";
/** A wave of short jobs ends quickly, and there is no event per job. */
const ASK_WHILE_RAMPING_MS = 1_000;

export type Opening = "fully" | "waves";

interface RampChoiceProps {
  readonly chosen: Opening;
  readonly onChoose: (opening: Opening) => void;
}

export function RampChoice({ chosen, onChoose }: RampChoiceProps) {
  const { ramp: say } = useWords();
  const name = useId();
  const hints = { fully: say.fullyHint, waves: say.wavesHint };
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-xs font-semibold text-faint">{say.choice}</legend>
      {(["fully", "waves"] as const).map((opening) => (
        <label key={opening} className="flex items-start gap-2">
          <input
            type="radio"
            name={name}
            className="mt-1 size-4 shrink-0 accent-accent"
            checked={chosen === opening}
            onChange={() => onChoose(opening)}
            aria-describedby={`${name}-${opening}`}
          />
          <span>
            {say[opening]}
            <span id={`${name}-${opening}`} className="block text-xs text-faint">
              {hints[opening]}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The progress of a resume in waves, or the job that ended it. */
export function RampStatus({ queue }: { queue: QueueOverview }) {
  if (queue.ramp) return <Ramping queue={queue.queue} ramp={queue.ramp} />;
  return queue.pauseReason === RAMP_FAILED ? <RampStopped jobId={queue.failedJobId} /> : null;
}

function Ramping({ queue, ramp }: { queue: string; ramp: NonNullable<QueueOverview["ramp"]> }) {
  const { ramp: say } = useWords();
  const number = useNumber();
  useQuery({ ...queries.queue(queue), refetchInterval: ASK_WHILE_RAMPING_MS });
  const { wave, waves, done, failed } = ramp;
  const size = waves[wave - 1] ?? 0;
  return (
    <Panel title={say.title} hint={say.after}>
      <div role="status" data-ramp className="flex flex-col gap-2 px-3 py-3 sm:px-4">
        <p className="text-base font-semibold">
          {say.wave(wave, waves.length)}{" "}
          <span className="text-sm font-normal text-soft">({say.size(size)})</span>
        </p>
        <ProgressBar label={say.wave(wave, waves.length)} value={done + failed} max={size} />
        <dl className="flex flex-wrap gap-x-5 gap-y-1">
          {(["started", "done", "failed"] as const).map((each) => (
            <div key={each} className="flex gap-1.5">
              <dt className="text-faint">{say[each]}</dt>
              <dd className={`font-medium ${each === "failed" && failed > 0 ? "text-stop-ink" : ""}`}>
                {number(ramp[each])}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  );
}

function RampStopped({ jobId }: { jobId: string | null }) {
  const { ramp: say } = useWords();
  const { data: job } = useQuery({ ...queries.job(jobId ?? ""), enabled: jobId !== null });
  // The job has no error, because it was queued again. Its last attempt has the error.
  const error = job?.history.findLast(({ message }) => message !== null)?.message;
  return (
    <section data-ramp-stopped className="rounded-lg bg-stop-wash px-4 py-3" aria-label={say.stopped}>
      <h2 className="font-semibold text-stop-ink">{say.stopped}</h2>
      {jobId && (
        <>
          <p className="text-soft">{say.stoppedBy}</p>
          <p className="mt-1">
            <JobMention id={jobId} error="whole" />
          </p>
          {error && <p className="font-medium wrap-anywhere">{error}</p>}
        </>
      )}
    </section>
  );
}
