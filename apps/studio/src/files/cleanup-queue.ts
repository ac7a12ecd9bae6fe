import type { AppQueue, AppSite } from "@andon/app";
import type { Job } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { CLEANUP_QUEUE } from "../studio-context.ts";
import type { TaskFiles } from "./task-files.ts";

interface CleanupPayload {
  readonly taskId: string;
  readonly what: "made" | "all";
}

/** The task whose files are removed. */
interface Owner {
  readonly id: string;
  readonly tenant: string;
  readonly organization: string | null;
}

/** Files cannot be removed inside a transaction. A job that is added in it removes them afterwards and retries failures. */
export async function cleanUpLater(
  { queue }: Pick<AppSite, "queue">,
  tx: Tx,
  { id, tenant, organization }: Owner,
  what: CleanupPayload["what"],
): Promise<void> {
  const payload: CleanupPayload = { taskId: id, what };
  await queue(CLEANUP_QUEUE).add(payload, {
    tx,
    tenant,
    organization: organization ?? undefined,
    name: `remove-${what}`,
  });
}

/** Removes the files of tasks that were cancelled or deleted. */
export function cleanupQueue(files: TaskFiles): AppQueue {
  return {
    isSystem: true,
    rules: {
      attempts: 10,
      backoff: { delay: "5s", max: "10m" },
      timeout: "5m",
      onFinalFailure: "hold-lane",
      probe: false,
    },
    work: { places: 2 },
    handler: async (job: Job<never>) => {
      const { taskId, what } = job.payload as CleanupPayload;
      await files.removeAll(taskId, what);
    },
    describe: (job) => ({
      aggregateType: "TASK",
      aggregateId: (job.payload as CleanupPayload).taskId,
      eventType: "CLEANUP",
      data: job.payload,
    }),
  };
}
