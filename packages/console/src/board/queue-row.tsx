import { memo, type ReactNode } from "react";
import type { QueueOverview } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { Lamp, type LampKind, LampWord } from "../ui/lamp.tsx";
import { jobsPath, Link, queuePath } from "../ui/link.tsx";
import { Count, useNumber } from "../ui/number.tsx";
import { Span } from "../ui/time.tsx";
import type { Density } from "./density.ts";
import { drainText } from "./drain.ts";
import { type RecentEnds, Sparkline } from "./sparkline.tsx";
import { needsDecision } from "./trouble.tsx";

interface QueueRowProps {
  readonly queue: QueueOverview;
  readonly kind: LampKind;
  readonly isUnworked: boolean;
  readonly ends: RecentEnds | undefined;
  readonly from: number | undefined;
  readonly density: Density;
  /** The table has no column for the state: an unusual state is written behind the name. */
  readonly isNarrow: boolean;
}

const NUMBER = "px-2 text-right whitespace-nowrap";
/** A compact row has the minimum height of its click targets. */
const HEIGHT: Record<Density, string> = { roomy: "md:h-9", compact: "md:h-[1.4375rem]" };
const SPARKLINE: Record<Density, string> = { roomy: "h-7", compact: "h-5" };
export const ON_DESK = "hidden md:table-cell";

/** One queue. Memoized, because there may be a thousand events a second: only changed rows are redrawn. */
export const QueueRow = memo(function QueueRow(props: QueueRowProps) {
  const { queue, kind, isUnworked, ends, from, density, isNarrow } = props;
  const words = useWords();
  const { overview } = words;
  const isCompact = density === "compact";
  return (
    <tr
      data-row={queue.queue}
      className="relative border-t border-line focus-within:bg-accent-wash hover:bg-raised"
    >
      <th scope="row" className="py-1.5 pr-2 pl-3 text-left font-normal max-md:w-full max-md:max-w-0 md:py-0">
        <div className={`flex min-w-0 items-center gap-2.5 ${HEIGHT[density]}`}>
          <Lamp kind={kind} size="tiny" />
          <div className="min-w-0 flex-1">
            <p className={`flex min-w-0 items-baseline gap-2 ${isCompact ? "md:text-sm" : ""}`}>
              <Link
                row
                to={queuePath(queue.queue)}
                title={queue.queue}
                className="truncate font-medium text-ink after:absolute after:inset-0"
              >
                {queue.queue}
              </Link>
              {isNarrow ? (
                <NarrowState queue={queue} kind={kind} isUnworked={isUnworked} />
              ) : (
                <span className="shrink-0 text-xs md:hidden">
                  <LampWord kind={kind} />
                </span>
              )}
            </p>
            <PhoneLine queue={queue} isUnworked={isUnworked} />
          </div>
        </div>
      </th>
      {!isNarrow && (
        <td className={`${ON_DESK} truncate px-2 text-xs`}>
          <LampWord kind={kind} />
          <Trouble queue={queue} isUnworked={isUnworked} />
        </td>
      )}
      <td className="w-24 px-2 align-middle md:w-auto">
        <Sparkline ends={ends} from={from} height={SPARKLINE[density]} />
      </td>
      <td className={`${ON_DESK} ${NUMBER} text-sm`}>
        <Jobs
          queue={queue.queue}
          isOfBullmq={queue.bullmq !== null}
          state="ready"
          count={queue.waiting}
          label={overview.waiting}
        />
      </td>
      <td className={`${ON_DESK} ${NUMBER} text-xs text-soft`}>
        {queue.oldestWaitingAt ? <Span from={queue.oldestWaitingAt} /> : <Nothing />}
      </td>
      <td className={`${ON_DESK} ${NUMBER} text-sm`}>
        <Jobs
          queue={queue.queue}
          isOfBullmq={queue.bullmq !== null}
          state="running"
          count={queue.active}
          label={overview.running}
        />
      </td>
      <td className={`${ON_DESK} ${NUMBER} text-sm`}>
        <Jobs
          queue={queue.queue}
          isOfBullmq={queue.bullmq !== null}
          state="failed"
          count={queue.failed}
          label={overview.failed}
        />
      </td>
      <td className={`${ON_DESK} ${NUMBER} text-sm`}>
        {queue.donePerMinute === 0 ? <Nothing /> : <Count value={queue.donePerMinute} />}
      </td>
      <td className={`${ON_DESK} ${NUMBER} truncate pr-3 text-xs text-soft`} title={drainText(queue, words)}>
        {tellsWhen(queue) ? drainText(queue, words) : <Nothing />}
      </td>
    </tr>
  );
});

/** Only a running queue with waiting jobs shows an estimate: the lamp and the numbers of other queues say enough. */
const tellsWhen = ({ state, waiting, delayed }: QueueOverview) => state === "open" && waiting + delayed > 0;

/** A dash for zero, so that the other numbers stand out. */
function Nothing() {
  return <span className="text-faint">–</span>;
}

interface JobsProps {
  readonly queue: string;
  readonly state: "ready" | "running" | "failed";
  readonly count: number;
  readonly label: string;
  /** The jobs of a BullMQ queue cannot be listed by state. */
  readonly isOfBullmq: boolean;
}

/** A number, as a link to the list of the counted jobs. */
function Jobs({ queue, state, count, label, isOfBullmq }: JobsProps) {
  const number = useNumber();
  if (count === 0) return <Nothing />;
  return (
    <Link
      to={isOfBullmq ? queuePath(queue) : jobsPath({ queue, state })}
      label={`${label}: ${number(count)}, ${queue}`}
      className={`relative z-10 -mx-1 inline-flex min-h-[1.4375rem] min-w-6 items-center justify-end rounded px-1 decoration-1 underline-offset-2 hover:underline ${state === "failed" ? "font-semibold text-stop-ink" : "text-ink"}`}
    >
      <Count value={count} />
    </Link>
  );
}

/** For the usual state the lamp is enough; its word is only for screen readers. */
function NarrowState({ queue, kind, isUnworked }: Pick<QueueRowProps, "queue" | "kind" | "isUnworked">) {
  return (
    <span className={kind === "running" ? "sr-only" : "min-w-0 shrink-0 truncate text-xs"}>
      <LampWord kind={kind} />
      <Trouble queue={queue} isUnworked={isUnworked} />
    </span>
  );
}

/** Further reasons for an amber lamp. */
function Trouble({ queue, isUnworked }: { queue: QueueOverview; isUnworked: boolean }) {
  const { board } = useWords();
  const held = queue.heldLanes ?? 0;
  const facts = [
    isUnworked && board.noWorker,
    // A held lane always needs a decision.
    held > 0 ? board.heldLanes(held) : queue.state === "open" && needsDecision(queue) && board.needsDecision,
  ].filter((fact): fact is string => fact !== false);
  return facts.map(
    (fact): ReactNode => (
      <span key={fact} className="text-warn-ink">
        {" · "}
        <span>{fact}</span>
      </span>
    ),
  );
}

/** The numbers for a narrow screen, without zeros. */
function PhoneLine({ queue, isUnworked }: { queue: QueueOverview; isUnworked: boolean }) {
  const words = useWords();
  const { overview } = words;
  const isIdle = queue.waiting + queue.active + queue.failed + queue.delayed === 0;
  return (
    <p className="truncate text-xs text-soft md:hidden">
      {isIdle && <span className="text-faint">{words.board.drainEmpty}</span>}
      {!isIdle && (
        <>
          {overview.waiting} <Count value={queue.waiting} />
        </>
      )}
      {queue.active > 0 && (
        <>
          {" · "}
          {overview.running} <Count value={queue.active} />
        </>
      )}
      {queue.failed > 0 && (
        <span className="font-semibold text-stop-ink">
          {" · "}
          {overview.failed} <Count value={queue.failed} />
        </span>
      )}
      {tellsWhen(queue) && <> · {drainText(queue, words)}</>}
      <Trouble queue={queue} isUnworked={isUnworked} />
    </p>
  );
}
