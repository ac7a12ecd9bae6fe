import type { Localized } from "@andon/contract";
import type { Settings } from "./settings.ts";

/** BullMQ queues without the address of a Redis. */
export function missingRedis({
  bullmq,
  redisUrl,
}: Pick<Settings, "bullmq" | "redisUrl">): { path: string[]; text: Localized }[] {
  if (redisUrl !== undefined) return [];
  return Object.entries(bullmq.queues)
    .filter(([, queue]) => queue.redisUrl === undefined)
    .map(([name]) => ({
      path: ["bullmq", "queues", name, "redisUrl"],
      text: {
        en: "is missing: name the Redis of this queue here, or that of all in `redisUrl`",
        ko: "값이 없습니다. 이 큐의 Redis를 여기에, 또는 모든 큐의 Redis를 `redisUrl`에 지정하세요",
      },
    }));
}
