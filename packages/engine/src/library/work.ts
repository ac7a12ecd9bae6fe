import { checkedOptions, duration, type QueueRules } from "@andon/contract";
import * as z from "zod";

export const workOptionsSchema = z.strictObject({
  places: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe(
      "How many jobs of this queue run at once in this process. Default: the queue's `concurrency`, else 8.",
    ),
  grace: duration
    .default(30_000)
    .describe("How long running jobs may take to finish when the worker closes; the rest is handed back."),
});
export type WorkOptions = z.input<typeof workOptionsSchema>;

const DEFAULT_PLACES = 8;

export function workOptions(
  options: WorkOptions | undefined,
  rules: QueueRules,
): { places: number; grace: number } {
  const { places, grace } = checkedOptions("the worker's options", workOptionsSchema, options);
  return {
    places: Math.min(
      places ?? rules.concurrency ?? DEFAULT_PLACES,
      rules.concurrency ?? Number.POSITIVE_INFINITY,
    ),
    grace,
  };
}

export interface WorkerHandle {
  /** Stops claiming, waits for running jobs up to the grace period, hands the rest back. */
  close(): Promise<void>;
}
