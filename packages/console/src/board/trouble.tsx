import type { QueueOverview } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { type LampKind, lampOf } from "../ui/lamp.tsx";

interface TroubleProps {
  readonly queue: QueueOverview;
  readonly isUnworked: boolean;
}

/** Whether something in the queue waits for a person's decision, even if the rest continues. */
export function needsDecision({ failed, heldLanes }: QueueOverview): boolean {
  return failed > 0 || (heldLanes ?? 0) > 0;
}

/** Whether the queue is a BullMQ queue whose Redis does not answer, so that its state is unknown. */
export function isAway({ bullmq }: QueueOverview): boolean {
  return bullmq !== null && bullmq.problem !== null;
}

/** The lamp of its state, but not green for an open queue that needs a person. */
export function lookOf({ queue, isUnworked }: TroubleProps): LampKind {
  const kind = lampOf(queue);
  const isTroubled = isUnworked || needsDecision(queue) || isAway(queue);
  return kind === "running" && isTroubled ? "troubled" : kind;
}

/** Problems inside a queue that runs. */
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
