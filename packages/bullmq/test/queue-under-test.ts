import { operate } from "@andon/bullmq";
import { type RedisServer, startRedis, until } from "@andon/testkit";
import { type Processor, Queue, Worker, type WorkerOptions } from "bullmq";
import { Redis } from "ioredis";

export interface QueueEvent {
  readonly id: string;
  readonly event: string;
  readonly jobId: string | undefined;
}

/** A Redis with queues on it, each with a name of its own; everything is closed by `stop`. */
export async function startQueues() {
  const redis: RedisServer = await startRedis();
  const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
  // Some tests stop Redis.
  connection.on("error", () => {});
  const open: { close(): Promise<void> }[] = [];
  let count = 0;

  return {
    redis,
    connection,
    queue(name = `queue-${++count}`) {
      const queue = new Queue(name, { connection });
      queue.on("error", () => {});
      open.push(queue);
      return {
        name,
        queue,
        operations: operate(queue),
        work(processor: Processor, options: Partial<WorkerOptions> = {}) {
          const worker = new Worker(name, processor, {
            connection: { url: redis.url },
            drainDelay: 1,
            ...options,
          });
          worker.on("error", () => {});
          open.push(worker);
          return worker;
        },
        /** The events of the queue's event stream, in the order in which Redis wrote them. */
        async events(from = "-"): Promise<QueueEvent[]> {
          const entries = await connection.xrange(`bull:${name}:events`, from, "+");
          return entries.map(([id, fields]) => ({
            id,
            event: fields[fields.indexOf("event") + 1] as string,
            jobId: fields.includes("jobId") ? fields[fields.indexOf("jobId") + 1] : undefined,
          }));
        },
        untilPaused: () =>
          until(async () => (await queue.isPaused()) && (await queue.getActiveCount()) === 0),
        untilIdle: () =>
          until(async () => {
            const counts = await queue.getJobCounts("wait", "active", "delayed", "prioritized");
            return Object.values(counts).every((n) => n === 0);
          }),
      };
    },
    async stop() {
      await Promise.all(open.map((each) => each.close()));
      connection.disconnect();
      await redis.stop();
    },
  };
}

export type QueueUnderTest = ReturnType<Awaited<ReturnType<typeof startQueues>>["queue"]>;
