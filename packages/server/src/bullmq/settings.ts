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

/** BullMQ queues that run elsewhere and are operated here. */
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
    .describe("The queues, by their names in BullMQ. No queue of Andon may have the same name."),
});
