import { FileCheck2 } from "lucide-react";
import type { ReactNode } from "react";
import type { JobDetail, QueueOverview } from "../api/client.ts";
import { drainText } from "../board/drain.ts";
import { lookOf, needsDecision, Trouble } from "../board/trouble.tsx";
import { useWords } from "../i18n/words.ts";
import { JobMention, StopCauseName } from "../job/job-mention.tsx";
import { Button } from "../ui/button.tsx";
import { LAMP_WASH, Lamp, LampWord } from "../ui/lamp.tsx";
import { jobsPath, Link } from "../ui/link.tsx";
import { Count } from "../ui/number.tsx";
import { Span, Time } from "../ui/time.tsx";
import { BullmqCause } from "./bullmq-cause.tsx";
import { NextTry } from "./probe.tsx";
import { primaryQueueAction, type QueueAction } from "./queue-decision.tsx";

interface QueueHeadProps {
  readonly queue: QueueOverview;
  readonly actions: readonly QueueAction[];
  /** The action of the key `p`. */
  readonly keyed: QueueAction;
  readonly isUnworked: boolean;
  readonly probe: JobDetail | undefined;
  readonly onAction: (action: QueueAction) => void;
  readonly onTryProbe: (() => void) | undefined;
  readonly onCertificate: (() => void) | undefined;
}

/** The head of a queue's page: lamp, since when, why and by whom; the five counts; the possible decisions. */
export function QueueHead(props: QueueHeadProps) {
  const { queue, actions, keyed, isUnworked, probe, onAction, onTryProbe, onCertificate } = props;
  const words = useWords();
  const { act, board, queue: say } = words;
  const kind = lookOf({ queue, isUnworked });
  const primary = primaryQueueAction(queue);
  return (
    <section
      aria-labelledby="queue-name"
      className="overflow-hidden rounded-lg border border-line bg-panel shadow-panel"
    >
      <div className={`flex flex-wrap items-center gap-x-5 gap-y-3 px-4 py-4 ${LAMP_WASH[kind]}`}>
        <Lamp kind={kind} size="large" />
        <div className="min-w-0 flex-1 basis-64">
          <h1 id="queue-name" className="text-xl leading-tight font-semibold">
            {queue.queue}
          </h1>
          <p className="text-base">
            <LampWord kind={kind} />
            {kind === "troubled" && (
              <strong className="font-semibold text-warn-ink">
                {" · "}
                {[isUnworked && board.noWorker, needsDecision(queue) && board.needsDecision]
                  .filter(Boolean)
                  .join(" · ")}
              </strong>
            )}
          </p>
          {kind === "troubled" && <Trouble queue={queue} isUnworked={isUnworked} />}
          <Cause queue={queue} probe={probe} />
        </div>
        {onCertificate && (
          <Button icon={<FileCheck2 size={15} aria-hidden="true" />} onClick={onCertificate}>
            {say.certificate}
          </Button>
        )}
      </div>
      <Counts queue={queue} />
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3">
        {queue.bullmq ? (
          <p className="max-w-prose text-soft">{say.bullmq}</p>
        ) : (
          <dl className="flex flex-wrap gap-x-5 gap-y-1 text-soft">
            <Figure name={board.oldest}>
              {queue.oldestWaitingAt ? <Span from={queue.oldestWaitingAt} /> : "–"}
            </Figure>
            <Figure name={board.rate}>
              <Count value={queue.donePerMinute} />
            </Figure>
            <Figure name={board.drain}>{drainText(queue, words)}</Figure>
          </dl>
        )}
        {(actions.length > 0 || onTryProbe) && (
          <fieldset className="flex flex-wrap gap-2">
            <legend className="sr-only">{say.actions}</legend>
            {onTryProbe && (
              <Button tone="primary" isMain onClick={onTryProbe}>
                {act.tryProbe}
              </Button>
            )}
            {actions.map((action) => (
              <Button
                key={action}
                tone={action === primary ? "primary" : action === "deleteQueue" ? "quiet" : "plain"}
                shortcut={action === keyed ? "p" : undefined}
                isMain={action === primary}
                onClick={() => onAction(action)}
              >
                {act[action]}
              </Button>
            ))}
          </fieldset>
        )}
      </div>
    </section>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-faint">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}

function Cause({ queue, probe }: { queue: QueueOverview; probe: JobDetail | undefined }) {
  const { queue: say, board } = useWords();
  if (queue.state === "open") {
    if (queue.bullmq) return null;
    return <p className="text-soft">{queue.mode ? say.mode[queue.mode] : board.unknownMode}</p>;
  }
  const since = queue.pausedAt ?? queue.degradedAt;
  const isDegraded = queue.state === "degraded";
  const jobId = queue.failedJobId ?? queue.probeJobId;
  return (
    <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
      <dt className="text-soft">{isDegraded ? say.degradedSince : say.stoppedAt}</dt>
      <dd>{since && <Time at={since} show="both" />}</dd>
      <dt className="text-soft">{isDegraded ? say.degradedReason : say.reason}</dt>
      <dd className="wrap-anywhere">{queue.pauseReason ?? board.degradedShort}</dd>
      {queue.pausedBy && (
        <>
          <dt className="text-soft">{say.by}</dt>
          <dd className="wrap-anywhere">{queue.pausedBy}</dd>
        </>
      )}
      {jobId && (
        <>
          <dt className="text-soft">
            <CauseName queue={queue} id={jobId} />
          </dt>
          <dd>
            {queue.bullmq ? (
              <BullmqCause queue={queue.queue} id={jobId} error={queue.bullmq.failedReason} />
            ) : (
              <JobMention id={jobId} error="whole" isStopCause={queue.failedJobId !== null} />
            )}
          </dd>
        </>
      )}
      {isDegraded && probe && (
        <>
          <dt className="text-soft">{say.nextTry}</dt>
          <dd>
            <NextTry probe={probe} />
          </dd>
        </>
      )}
    </dl>
  );
}

function CauseName({ queue, id }: { queue: QueueOverview; id: string }) {
  const { queue: say, board } = useWords();
  if (queue.bullmq) return say.cause;
  return queue.failedJobId ? <StopCauseName id={id} was={say.causeWas} /> : board.probe;
}

/** The state whose jobs each count links to. */
const STATES = {
  waiting: "ready",
  active: "running",
  failed: "failed",
  completed: "done",
  delayed: "scheduled",
} as const;

function Counts({ queue }: { queue: QueueOverview }) {
  const { counts } = useWords();
  return (
    <ul className="grid grid-cols-5 divide-x divide-line border-t border-line">
      {(Object.keys(STATES) as (keyof typeof STATES)[]).map((name) => (
        <li key={name}>
          <OfCount queue={queue} name={name}>
            <span
              className={`text-xl font-semibold ${name === "failed" && queue.failed > 0 ? "text-stop-ink" : "text-ink"}`}
            >
              <Count value={queue[name]} />
            </span>
            <span className="text-xs text-soft">{counts[name]}</span>
          </OfCount>
        </li>
      ))}
    </ul>
  );
}

const COUNT = "flex flex-col items-center px-1 py-3";

/** A count as a link to its jobs; no link for a BullMQ queue, whose jobs cannot be listed by state. */
function OfCount(props: { queue: QueueOverview; name: keyof typeof STATES; children: ReactNode }) {
  const { queue, name, children } = props;
  if (queue.bullmq) return <div className={COUNT}>{children}</div>;
  return (
    <Link to={jobsPath({ queue: queue.queue, state: STATES[name] })} className={`${COUNT} hover:bg-raised`}>
      {children}
    </Link>
  );
}
