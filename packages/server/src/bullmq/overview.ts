import type { QueueStatus, Stop } from "@andon/bullmq";
import { isAndonError } from "@andon/contract";
import type { OverviewView } from "../operator/queue-views.ts";
import type { BullmqQueues } from "./bullmq-queues.ts";

/** Fields that a BullMQ queue does not have. */
const NOT_OF_BULLMQ = {
  mode: null,
  isSystem: false,
  stopId: null,
  degradedAt: null,
  probeJobId: null,
  ramp: null,
  heldLanes: null,
  oldestWaitingAt: null,
  donePerMinute: null,
} as const;

const NOTHING_KNOWN: QueueStatus = {
  isPaused: false,
  waiting: 0,
  active: 0,
  failed: 0,
  completed: 0,
  delayed: 0,
  pausedAt: null,
  pauseReason: null,
};

export async function bullmqOverview(queues: BullmqQueues, queue: string): Promise<OverviewView> {
  const { status, stop } = await queues.use(queue, (operations) => operations.inspect());
  return overviewOf(queue, status, stop, null);
}

/** For a list: one queue whose Redis is away must not hide the other queues. */
export async function bullmqOverviewOrProblem(queues: BullmqQueues, queue: string): Promise<OverviewView> {
  try {
    return await bullmqOverview(queues, queue);
  } catch (error) {
    if (!isAndonError(error, "BULLMQ_UNAVAILABLE")) throw error;
    return overviewOf(queue, NOTHING_KNOWN, null, String(error.details.problem));
  }
}

function overviewOf(
  queue: string,
  status: QueueStatus,
  stop: Stop | null,
  problem: string | null,
): OverviewView {
  return {
    queue,
    state: status.isPaused ? "stopped" : "open",
    ...NOT_OF_BULLMQ,
    ...status,
    pausedBy: stop?.pausedBy ?? null,
    failedJobId: stop?.failedJobId ?? null,
    bullmq: {
      failedReason: stop?.failedReason ?? null,
      runningAtStop: stop?.running ?? null,
      problem,
    },
  };
}
