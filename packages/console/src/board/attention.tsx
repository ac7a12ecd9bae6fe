import { CircleCheck, CircleHelp } from "lucide-react";
import type { QueueOverview } from "../api/client.ts";
import { useStale } from "../api/freshness.ts";
import { JobMention } from "../job/job-mention.tsx";
import { buttonClass } from "../kit/button.tsx";
import { LAMP_WASH, Lamp, LampWord, lampOf } from "../kit/lamp.tsx";
import { Link, queuePath } from "../kit/link.tsx";
import { Time } from "../kit/time.tsx";
import { useWords } from "../words/words.ts";
import type { IsUnworked } from "./unworked.ts";

function needsPerson(queue: QueueOverview): boolean {
  return lampOf(queue) !== "running" || queue.failed > 0 || (queue.heldLanes ?? 0) > 0;
}

interface AttentionProps {
  readonly queues: readonly QueueOverview[];
  readonly isUnworked: IsUnworked;
}

/** What stands, since when, why, by whom, what waits behind it: before anything else. */
export function Attention({ queues, isUnworked }: AttentionProps) {
  const { board } = useWords();
  const waiting = queues.filter((queue) => needsPerson(queue) || isUnworked(queue));
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
  const kind = lampOf(queue);
  const wash = kind === "running" ? "bg-panel" : LAMP_WASH[kind];
  return (
    <li className={`flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-3 ${wash}`}>
      <Lamp kind={kind} />
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-base font-semibold">
          {queue.queue} <LampWord kind={kind} />
        </p>
        {kind === "running" ? <Held queue={queue} isUnworked={isUnworked} /> : <Standing queue={queue} />}
      </div>
      <Link
        to={queuePath(queue.queue)}
        className={buttonClass(kind === "running" ? "plain" : "primary")}
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
          {queue.failedJobId ? board.failedJob : board.probe} <JobMention id={jobId} />
        </p>
      )}
    </>
  );
}

/** The queue runs, but something in it does not. */
function Held({ queue, isUnworked }: WaitingProps) {
  const { board } = useWords();
  const facts = [
    isUnworked && board.noWorkerFor(queue.waiting),
    queue.heldLanes !== null && queue.heldLanes > 0 && board.heldLanes(queue.heldLanes),
    queue.failed > 0 && board.failedJobs(queue.failed),
  ].filter((fact) => fact !== false);
  return (
    <p className="text-warn-ink">
      {facts.join(" · ")} {!isUnworked && <span className="text-soft">{board.goesOn}</span>}
    </p>
  );
}
