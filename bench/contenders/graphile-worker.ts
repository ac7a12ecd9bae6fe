import type {
  BenchJob,
  Contender,
  ContenderKind,
  Handler,
  Mode,
  Working,
  WorkOptions,
} from "../contender.ts";
import { Logger, makeWorkerUtils, type Runner, run } from "../peers/graphile-worker.ts";
import { pg } from "../peers/postgres-client.ts";

interface Settings {
  concurrentJobs: number;
  localQueue?: { size: number };
  completeJobBatchDelay?: number;
  pollInterval?: number;
  maxPoolSize?: number;
}

/**
 * The project's own advice for high throughput: a local queue and batched completions (`completeJobBatchDelay: 0`). Without
 * keys, 100 concurrent jobs drain some 5 % faster than 24; with keys, a third slower. Keys are its named queues. A named
 * queue releases its next job when the one before is completed, and the worker finds that job by polling, so a short poll
 * interval is measured as well.
 */
const VARIANTS: Record<string, Settings> = {
  "local queue 500": { concurrentJobs: 24, localQueue: { size: 500 }, completeJobBatchDelay: 0 },
  "local queue 2000": { concurrentJobs: 24, localQueue: { size: 2000 }, completeJobBatchDelay: 0 },
  "local queue 500, poll 5 ms": {
    concurrentJobs: 24,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    pollInterval: 5,
  },
  "local queue 2000, poll 5 ms": {
    concurrentJobs: 24,
    localQueue: { size: 2000 },
    completeJobBatchDelay: 0,
    pollInterval: 5,
  },
  "no local queue": { concurrentJobs: 10, maxPoolSize: 12, pollInterval: 5 },
  "one worker": { concurrentJobs: 1 },
  "one named queue": { concurrentJobs: 1, pollInterval: 1 },
  "pool 10": { concurrentJobs: 1, maxPoolSize: 10 },
  "as it comes": { concurrentJobs: 10, maxPoolSize: 12 },
};

const BY_MODE: Partial<Record<Mode, string[]>> = {
  drain: ["local queue 500", "local queue 2000"],
  keyed: [
    "local queue 500",
    "local queue 2000",
    "local queue 500, poll 5 ms",
    "local queue 2000, poll 5 ms",
    "no local queue",
  ],
  serial: ["one worker", "one named queue"],
  add: ["pool 10"],
  latency: ["as it comes"],
  stop: ["as it comes"],
};

const BULK = 5_000;
const silent = new Logger(() => () => {});

export default {
  name: "graphile-worker",
  role: "peer",
  store: "postgres",
  package: "graphile-worker",
  recovery: { seconds: 4 * 3600, because: "jobs stay locked for 4 hours" },
  variants: (mode) => BY_MODE[mode] ?? [],

  async open(place, { mode, variant, maxAttempts }): Promise<Contender> {
    const chosen = VARIANTS[variant] ?? { concurrentJobs: 1 };
    const settings: Settings = mode === "drain" ? { ...chosen, concurrentJobs: 100 } : chosen;
    const pgPool = new pg.Pool({ connectionString: place.postgresUrl, max: settings.maxPoolSize ?? 10 });
    // It warns about a pool without error listeners. A lost connection shows in the result of the round anyway.
    pgPool.on("error", () => {});
    pgPool.on("connect", (client) => client.on("error", () => {}));
    const utils = await makeWorkerUtils({ pgPool, logger: silent });
    await utils.migrate();
    const task = place.queue;
    const spec = (job: BenchJob) => ({
      ...(variant === "one named queue"
        ? { queueName: "line" }
        : job.key === undefined
          ? {}
          : { queueName: job.key }),
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
    });

    return {
      settings: {
        ...flat(settings),
        bulkAdd: BULK,
        ...(mode === "stop" ? { stop: "runner.stop() on job:failed" } : {}),
      },
      async addBulk(jobs) {
        for (let from = 0; from < jobs.length; from += BULK) {
          await utils.addJobs(
            jobs.slice(from, from + BULK).map((job) => ({ identifier: task, payload: job, ...spec(job) })),
          );
        }
      },
      async addOne(job) {
        await utils.addJob(task, job, spec(job));
      },
      work: (options, handler) => work(pgPool, task, settings, options, handler),
      async unfinished() {
        // Finished jobs are deleted. Finally failed jobs stay, unlocked, with all attempts used.
        const { rows } = await pgPool.query(
          "select count(*)::int as n from graphile_worker._private_jobs where attempts < max_attempts or locked_at is not null",
        );
        return rows[0].n;
      },
      async close() {
        await utils.release();
        await pgPool.end();
      },
    };
  },
} satisfies ContenderKind;

async function work(
  pgPool: InstanceType<typeof pg.Pool>,
  task: string,
  settings: Settings,
  options: WorkOptions,
  handler: Handler,
): Promise<Working> {
  const runner: Runner = await run({
    pgPool,
    logger: silent,
    noHandleSignals: true,
    taskList: { [task]: (payload) => handler(payload as BenchJob) },
    preset: { worker: { ...settings, concurrentJobs: options.concurrency ?? settings.concurrentJobs } },
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= runner.stop();
    return stopped;
  };
  runner.events.on("job:failed", () => {
    // It has no way to pause a queue for every process, so it stops the worker that saw the failure.
    if (options.onFinalFailure) void stop().catch(() => {});
    options.onFinalFailure?.();
  });
  return { stop };
}

function flat(settings: Settings): Record<string, number> {
  const { localQueue, ...rest } = settings;
  return { ...rest, ...(localQueue ? { "localQueue.size": localQueue.size } : {}) };
}
