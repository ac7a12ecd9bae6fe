import type { ReadinessCheck } from "@andon/app";
import { isAndonError } from "@andon/contract";
import type { BullmqQueues } from "./bullmq-queues.ts";

const NAME = "bullmq";

/** One part for all queues of BullMQ: anybody may ask, and their names are nobody's business. */
export async function bullmqReady(queues: BullmqQueues): Promise<ReadinessCheck[]> {
  if (queues.names.length === 0) return [];
  const problems = await Promise.all(queues.names.map((name) => problemOf(queues, name)));
  const problem = problems.filter((each) => each !== undefined).join("; ");
  return [
    problem === ""
      ? { name: NAME, ok: true, problem: null }
      : { name: NAME, ok: false, problem, code: "BULLMQ_UNAVAILABLE" },
  ];
}

async function problemOf(queues: BullmqQueues, name: string): Promise<string | undefined> {
  try {
    await queues.use(name, (operations) => operations.status());
    return undefined;
  } catch (error) {
    return isAndonError(error) ? error.in("en") : (error as Error).message;
  }
}
