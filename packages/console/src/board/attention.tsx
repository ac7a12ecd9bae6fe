import { CircleCheck, CircleHelp } from "lucide-react";
import type { QueueOverview } from "../api/client.ts";
import { useStale } from "../api/freshness.ts";
import { useWords } from "../i18n/words.ts";
import { JobMention, StopCauseName } from "../job/job-mention.tsx";
import { buttonClass } from "../ui/button.tsx";
import { LAMP_WASH, Lamp, LampWord } from "../ui/lamp.tsx";
import { Link, queuePath } from "../ui/link.tsx";
import { Time } from "../ui/time.tsx";
import { lookOf, Trouble } from "./trouble.tsx";
import type { IsUnworked } from "./unworked.ts";

interface AttentionProps {
  readonly queues: readonly QueueOverview[];
  readonly isUnworked: IsUnworked;
}

/** What stands, since when, why, by whom, what waits behind it: before anything else. */
export function Attention({ queues, isUnworked }: AttentionProps) {
  const { board } = useWords();
  const waiting = queues.filter((queue) => lookOf({ queue, isUnworked: isUnworked(queue) }) !== "running");
  if (waiting.length === 0) return <NothingWaits />;
  return (
    <section aria-labelledby="attention" className="overflow-hidden rounded-lg border border-line">
      <h2 id="attention" className="bg-panel px-4 py-2 font-semibold">
        {board.needsYou(waiting.length)}
      </h2>
      <ul>
        {waiting.map((queue) => (
          <Waiting key={queue.queue} queue={queue} isUnworked={isUnworked(queue)} />
        ))}
      </ul>
    </section>
  );
}

/** Nobody is told that all is well by a page that has not heard from the server. */
function NothingWaits() {
  const { board } = useWords();
  const isKnown = useStale() === undefined;
  const Sign = isKnown ? CircleCheck : CircleHelp;
  const tone = isKnown ? "bg-run-wash text-run-ink" : "bg-panel text-soft";
  return (
    <p className={`flex items-center gap-2 rounded-lg px-4 py-2.5 ${tone}`}>
      <Sign size={18} aria-hidden="true" />
      {isKnown ? board.allWell : board.notKnown}
    </p>
  );
}

interface WaitingProps {
  readonly queue: QueueOverview;
  readonly isUnworked: boolean;
}

function Waiting({ queue, isUnworked }: WaitingProps) {
  const { board } = useWords();
  const kind = lookOf({ queue, isUnworked });
  return (
    <li
      className={`flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-3 ${LAMP_WASH[kind]}`}
    >
      <Lamp kind={kind} />
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-base font-semibold">
          {queue.queue} <LampWord kind={kind} />
        </p>
        {kind === "troubled" ? <Trouble queue={queue} isUnworked={isUnworked} /> : <Standing queue={queue} />}
      </div>
      <Link
        to={queuePath(queue.queue)}
        className={buttonClass(kind === "troubled" ? "plain" : "primary")}
        label={`${board.goLook}: ${queue.queue}`}
      >
        {board.goLook}
      </Link>
    </li>
  );
}

function Standing({ queue }: { queue: QueueOverview }) {
  const { board } = useWords();
  const since = queue.pausedAt ?? queue.degradedAt;
  const jobId = queue.failedJobId ?? queue.probeJobId;
  const reason = queue.pauseReason ?? board.degradedShort;
  return (
    <>
      <p className="text-soft">
        {since && <Time at={since} show="both" />} · {reason}
        {queue.pausedBy && ` · ${queue.pausedBy}`} · {board.waitsBehind(queue.waiting)}
      </p>
      {jobId && (
        <p>
          {queue.failedJobId ? <StopCauseName id={jobId} was={board.stoppedBecause} /> : board.probe}{" "}
          <JobMention id={jobId} isStopCause={queue.failedJobId !== null} />
        </p>
      )}
    </>
  );
}
