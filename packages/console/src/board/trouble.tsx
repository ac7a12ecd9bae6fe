import type { QueueOverview } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { type LampKind, lampOf } from "../ui/lamp.tsx";

interface TroubleProps {
  readonly queue: QueueOverview;
  readonly isUnworked: boolean;
}

/** Something in it stands until a person decides, whether or not the rest goes on. */
export function needsDecision({ failed, heldLanes }: QueueOverview): boolean {
  return failed > 0 || (heldLanes ?? 0) > 0;
}

/** Where its Redis does not answer, nothing is known of a queue that BullMQ runs. */
export function isAway({ bullmq }: QueueOverview): boolean {
  return bullmq !== null && bullmq.problem !== null;
}

/** The lamp of its state; no green one where the queue is open and still needs a person. */
export function lookOf({ queue, isUnworked }: TroubleProps): LampKind {
  const kind = lampOf(queue);
  const isTroubled = isUnworked || needsDecision(queue) || isAway(queue);
  return kind === "running" && isTroubled ? "troubled" : kind;
}

/** The queue runs, but something in it does not. */
export function Trouble({ queue, isUnworked }: TroubleProps) {
  const { board, queue: say } = useWords();
  if (isAway(queue)) return <p className="text-warn-ink">{say.bullmqAway}</p>;
  const facts = [
    isUnworked && board.noWorkerFor(queue.waiting),
    queue.heldLanes !== null && queue.heldLanes > 0 && board.heldLanes(queue.heldLanes),
    queue.failed > 0 && board.failedJobs(queue.failed),
  ].filter((fact) => fact !== false);
  return (
    <p className="text-warn-ink">
      {facts.join(" · ")}
      {!isUnworked && <span className="text-soft"> · {board.goesOn}</span>}
    </p>
  );
}
