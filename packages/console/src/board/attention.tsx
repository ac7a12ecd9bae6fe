import { CircleCheck, CircleHelp } from "lucide-react";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { QueueOverview } from "../api/client.ts";
import { useStale } from "../api/freshness.ts";
import { useWords } from "../i18n/words.ts";
import { JobMention, StopCauseName } from "../job/job-mention.tsx";
import { BullmqCause } from "../queue/bullmq-cause.tsx";
import { primaryQueueAction, type QueueAction, QueueDecision } from "../queue/queue-decision.tsx";
import { useAllowed } from "../session/session.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { LAMP_WASH, Lamp, LampWord } from "../ui/lamp.tsx";
import { Link, queuePath } from "../ui/link.tsx";
import { Time } from "../ui/time.tsx";
import type { Density } from "./density.ts";
import { lookOf, Trouble } from "./trouble.tsx";
import type { IsUnworked } from "./unworked.ts";

interface AttentionProps {
  /** Sorted, the most urgent first. */
  readonly queues: readonly QueueOverview[];
  readonly isUnworked: IsUnworked;
  readonly density: Density;
}

interface Decision {
  readonly queue: QueueOverview;
  readonly action: QueueAction;
}

/** More rows would push the board off the screen. */
const MOST_SHOWN: Record<Density, number> = { roomy: 5, compact: 3 };

/** The queues that need a person, above everything else: state, since when, why, by whom, how many jobs wait, and the decision. */
export function Attention({ queues, isUnworked, density }: AttentionProps) {
  const { board, overview } = useWords();
  const [isWhole, setIsWhole] = useState(false);
  const [open, setOpen] = useState<Decision>();
  const waiting = queues.filter((queue) => lookOf({ queue, isUnworked: isUnworked(queue) }) !== "running");
  const shown = isWhole ? waiting : waiting.slice(0, MOST_SHOWN[density]);
  const dialog = open && <QueueDecision {...open} onClose={() => setOpen(undefined)} />;
  // The dialog stays open even if no queue needs a person: somebody else may have decided meanwhile.
  if (waiting.length === 0) {
    return (
      <>
        <NothingWaits />
        {dialog}
      </>
    );
  }
  return (
    <section aria-labelledby="attention" className="overflow-hidden rounded-lg border border-line">
      <h2 id="attention" className="bg-panel px-3 py-1.5 text-sm font-semibold sm:px-4">
        {board.needsYou(waiting.length)}
      </h2>
      <ul>
        {shown.map((queue) => (
          <Waiting
            key={queue.queue}
            queue={queue}
            isUnworked={isUnworked(queue)}
            isCompact={density === "compact"}
            onDecide={setOpen}
          />
        ))}
      </ul>
      {shown.length < waiting.length && (
        <p className="border-t border-line bg-panel px-1 py-1">
          <Button tone="quiet" onClick={() => setIsWhole(true)}>
            {overview.more(waiting.length - shown.length)}
          </Button>
        </p>
      )}
      {dialog}
    </section>
  );
}

/** Says that nothing needs a person, but only if the data is fresh. */
function NothingWaits() {
  const { board } = useWords();
  const isKnown = useStale() === undefined;
  const Sign = isKnown ? CircleCheck : CircleHelp;
  const tone = isKnown ? "bg-run-wash text-run-ink" : "bg-panel text-soft";
  return (
    <p className={`flex min-h-10 items-center gap-2 rounded-lg px-3 py-1.5 sm:px-4 ${tone}`}>
      <Sign size={18} aria-hidden="true" />
      {isKnown ? board.allWell : board.notKnown}
    </p>
  );
}

interface WaitingProps {
  readonly queue: QueueOverview;
  readonly isUnworked: boolean;
  /** True: the facts are behind the name. False: below it. */
  readonly isCompact: boolean;
  readonly onDecide: (decision: Decision) => void;
}

function Waiting({ queue, isUnworked, isCompact, onDecide }: WaitingProps) {
  const { act, board, overview } = useWords();
  const mayDecide = useAllowed({ permission: "queue.operate", whole: true });
  const kind = lookOf({ queue, isUnworked });
  const action = mayDecide ? primaryQueueAction(queue) : undefined;
  const ref = useRef<HTMLLIElement>(null);
  useFocusOnPage(ref);
  return (
    <li
      ref={ref}
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-3 sm:px-4 ${isCompact ? "py-1" : "py-2"} ${LAMP_WASH[kind]}`}
    >
      <Lamp kind={kind} size="small" />
      <div
        className={`min-w-0 flex-1 basis-60 ${isCompact ? "text-sm md:flex md:flex-wrap md:items-baseline md:gap-x-3" : ""}`}
      >
        <p className="font-semibold">
          {queue.queue} <LampWord kind={kind} />
        </p>
        {kind === "troubled" ? (
          <Trouble queue={queue} isUnworked={isUnworked} />
        ) : (
          <Standing queue={queue} isCompact={isCompact} />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Link to={queuePath(queue.queue)} className={buttonClass()} label={`${board.goLook}: ${queue.queue}`}>
          {board.goLook}
        </Link>
        {action && (
          <Button
            tone="primary"
            aria-label={overview.decide(act[action], queue.queue)}
            onClick={() => onDecide({ queue, action })}
          >
            {act[action]}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Moves the focus to the page when a focused element is removed, for example after a decision. */
function useFocusOnPage(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      // The element is still in the document here; it is removed after this turn.
      queueMicrotask(() => {
        if (document.activeElement === document.body) document.getElementById("main")?.focus();
      });
    };
  }, [ref]);
}

function Standing({ queue, isCompact }: { queue: QueueOverview; isCompact: boolean }) {
  const {
    board,
    queue: { cause },
  } = useWords();
  const since = queue.pausedAt ?? queue.degradedAt;
  const jobId = queue.failedJobId ?? queue.probeJobId;
  const reason = queue.pauseReason ?? board.degradedShort;
  return (
    <>
      <p className="text-soft">
        {since && <Time at={since} show="both" />} · {reason}
        {queue.pausedBy && ` · ${queue.pausedBy}`} · {board.waitsBehind(queue.waiting)}
      </p>
      {jobId && queue.bullmq && (
        <p className={isCompact ? "min-w-0 md:w-full md:truncate" : undefined}>
          {cause} <BullmqCause queue={queue.queue} id={jobId} error={queue.bullmq.failedReason} />
        </p>
      )}
      {jobId && !queue.bullmq && (
        <p className={isCompact ? "min-w-0 md:w-full md:truncate" : undefined}>
          {queue.failedJobId ? <StopCauseName id={jobId} was={board.stoppedBecause} /> : board.probe}{" "}
          <JobMention
            id={jobId}
            isStopCause={queue.failedJobId !== null}
            error={isCompact ? "inline" : "short"}
          />
        </p>
      )}
    </>
  );
}
