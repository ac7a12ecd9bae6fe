import type {
  BenchJob,
  Contender,
  ContenderKind,
  Handler,
  Mode,
  Working,
  WorkOptions,
} from "../contender.ts";
import { Queue, Worker } from "../peers/bullmq.ts";

/** Concurrency 50 to 500 gave the same rate within noise (22 to 25 thousand), 10 a third less. */
const CONCURRENCY: Partial<Record<Mode, number>> = { drain: 200, serial: 1, add: 1, latency: 1, stop: 1 };
const BULK = 1_000;
const BACKOFF_MS = 50;

export default {
  name: "bullmq",
  role: "peer",
  store: "redis",
  package: "bullmq",
  recovery: { seconds: 60, because: "lockDuration 30 s, then stalledInterval 30 s" },
  // Order inside a key ("groups") is not part of the open package.
  variants: (mode) =>
    CONCURRENCY[mode] === undefined ? [] : mode === "stop" ? ["no AOF"] : ["no AOF", "AOF"],
  redisArguments: (variant) => ["--appendonly", variant === "AOF" ? "yes" : "no"],

  async open(place, { mode, variant, maxAttempts }): Promise<Contender> {
    const { hostname: host, port } = new URL(place.redisUrl ?? "");
    const connection = { host, port: Number(port) };
    const queue = new Queue(place.queue, {
      connection,
      // Kept jobs slow every later step down; the queue's best setting removes them.
      defaultJobOptions: {
        removeOnComplete: true,
        ...(maxAttempts === undefined
          ? {}
          : { attempts: maxAttempts, backoff: { type: "fixed", delay: BACKOFF_MS } }),
      },
    });
    queue.on("error", () => {});
    await queue.waitUntilReady();
    const concurrency = CONCURRENCY[mode] ?? 1;

    return {
      settings: {
        concurrency,
        removeOnComplete: true,
        bulkAdd: BULK,
        appendonly: variant === "AOF" ? "yes, everysec" : "no",
        ...(mode === "stop" ? { stop: "queue.pause() on the failed event" } : {}),
      },
      async addBulk(jobs) {
        for (let from = 0; from < jobs.length; from += BULK) {
          await queue.addBulk(jobs.slice(from, from + BULK).map((data) => ({ name: "job", data })));
        }
      },
      async addOne(job) {
        await queue.add("job", job);
      },
      work: (options, handler) => work(queue, connection, concurrency, options, handler),
      async unfinished() {
        const counts = await queue.getJobCounts("wait", "active", "delayed", "prioritized");
        return Object.values(counts).reduce((sum, count) => sum + count, 0);
      },
      close: () => queue.close(),
    };
  },
} satisfies ContenderKind;

async function work(
  queue: Queue,
  connection: { host: string; port: number },
  concurrency: number,
  options: WorkOptions,
  handler: Handler,
): Promise<Working> {
  const worker = new Worker<BenchJob>(queue.name, async (job) => handler(job.data), {
    connection,
    concurrency: options.concurrency ?? concurrency,
  });
  worker.on("error", () => {});
  worker.on("failed", (job) => {
    if (job === undefined || job.attemptsMade < (job.opts.attempts ?? 1)) return;
    options.onFinalFailure?.();
    void queue.pause().catch(() => {});
  });
  await worker.waitUntilReady();
  return { stop: () => worker.close() };
}
