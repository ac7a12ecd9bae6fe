import type { Started } from "@andon/engine";
import type { FastifyReply } from "fastify";
import type { Site } from "../site.ts";

interface Accepted {
  readonly operationId: string;
  readonly total: number;
  readonly done: number;
}

/**
 * The answer of a decision over many jobs if it is ready in time; otherwise 202 with the id of the operation, and the work
 * continues.
 */
export async function answerInTime<Result, Answer>(
  { andon, answerWithinMs }: Pick<Site, "andon" | "answerWithinMs">,
  reply: FastifyReply,
  { id, total, finished }: Started<Result>,
  answerOf: (result: Result) => Answer,
): Promise<Answer | Accepted> {
  if (id === null) return answerOf(await finished);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, answerWithinMs, undefined);
  });
  try {
    const inTime = await Promise.race([finished.then((result) => ({ result })), late]);
    if (inTime) return answerOf(inTime.result);
  } finally {
    clearTimeout(timer);
  }
  const operation = await andon.operation(id);
  reply.code(202);
  return { operationId: id, total, done: operation?.done ?? 0 };
}
