import { urlOf } from "@andon/app";
import { allows } from "@andon/contract";
import * as z from "zod";
import { queueName } from "../config/queue-settings.ts";

const bullmqQueue = z.strictObject({
  redisUrl: urlOf(["redis", "rediss"], allows("redis://… or rediss://…", "redis://… 또는 rediss://…"))
    .optional()
    .describe("The Redis of the queue. Default: `redisUrl`."),
  prefix: z.string().min(1).max(200).default("bull").describe("The prefix that BullMQ gives its keys."),
});

/** Queues that BullMQ runs elsewhere and operators see here. */
export const bullmqSettings = z.strictObject({
  queues: z
    .record(
      queueName.refine(
        (name) => !name.includes(":"),
        allows("a name without a colon, as BullMQ wants it", "BullMQ의 규칙대로 콜론이 없는 이름"),
      ),
      bullmqQueue,
    )
    .default({})
    .describe("By the name that they have in BullMQ. No queue of Andon may have the same name."),
});
