import type { ReadinessCheck } from "@andon/app";
import { isAndonError } from "@andon/contract";
import type { BullmqQueues } from "./bullmq-queues.ts";

const NAME = "bullmq";

/** One check for all BullMQ queues: the route needs no key, so the answer must not contain the names of queues. */
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
