import type { QueueOverview } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { Lamp, LampWord } from "../ui/lamp.tsx";
import { Link, queuePath } from "../ui/link.tsx";
import { Count } from "../ui/number.tsx";
import { Span } from "../ui/time.tsx";
import { drainText } from "./drain.ts";
import { lookOf, needsDecision } from "./trouble.tsx";

const COUNTS = ["waiting", "active", "failed", "delayed", "completed"] as const;

/** One queue: its lamp first, its numbers after. The whole tile is one link. */
export function QueueTile({ queue, isUnworked }: { queue: QueueOverview; isUnworked: boolean }) {
  const words = useWords();
  const { board, counts } = words;
  const kind = lookOf({ queue, isUnworked });
  const held = queue.heldLanes ?? 0;
  return (
    <article
      data-row={queue.queue}
      className="relative flex h-full flex-col gap-3 rounded-lg border border-line bg-panel p-4 focus-within:border-accent hover:border-line-strong"
    >
      <div className="flex items-center gap-4">
        <Lamp kind={kind} size="large" />
        <div className="min-w-0">
          <h2 className="text-base leading-tight font-semibold">
            <Link row to={queuePath(queue.queue)} className="text-ink after:absolute after:inset-0">
              {queue.queue}
            </Link>
          </h2>
          <LampWord kind={kind} />
          {isUnworked && <p className="text-xs text-warn-ink">{board.noWorker}</p>}
          {kind === "troubled" && needsDecision(queue) && (
            <p className="text-xs text-warn-ink">{board.needsDecision}</p>
          )}
          {held > 0 && <p className="text-xs text-warn-ink">{board.heldLanes(held)}</p>}
        </div>
      </div>
      <dl className="grid grid-cols-5 gap-1 text-center">
        {COUNTS.map((name) => (
          <div key={name} className="flex flex-col-reverse">
            <dt className="text-xs text-faint">{counts[name]}</dt>
            <dd className={`font-semibold ${name === "failed" && queue.failed > 0 ? "text-stop-ink" : ""}`}>
              <Count value={queue[name]} />
            </dd>
          </div>
        ))}
      </dl>
      <dl className="mt-auto grid grid-cols-[1fr_auto] gap-x-3 border-t border-line pt-2 text-xs">
        <dt className="text-faint">{board.oldest}</dt>
        <dd className="text-right">{queue.oldestWaitingAt ? <Span from={queue.oldestWaitingAt} /> : "–"}</dd>
        <dt className="text-faint">{board.rate}</dt>
        <dd className="text-right">
          <Count value={queue.donePerMinute} />
        </dd>
        <dt className="text-faint">{board.drain}</dt>
        <dd className="text-right">{drainText(queue, words)}</dd>
      </dl>
    </article>
  );
}
