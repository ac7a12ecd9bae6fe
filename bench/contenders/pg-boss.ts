import type {
  BenchJob,
  Contender,
  ContenderKind,
  Handler,
  Mode,
  Working,
  WorkOptions,
} from "../contender.ts";
import { PgBoss } from "../peers/pg-boss.ts";
import { pg } from "../peers/postgres-client.ts";

interface Settings {
  batchSize: number;
  loops: number;
  policy?: "key_strict_fifo";
}

/**
 * Takes jobs with `fetch` and `complete` in a loop: pg-boss's `work` sleeps at least half a second after a fetch that was not
 * full, and the scenario would measure that sleep. The latency scenario uses `work` for its NOTIFY.
 */
const VARIANTS: Record<string, Settings> = {
  "batch 500": { batchSize: 500, loops: 2 },
  "batch 2000": { batchSize: 2000, loops: 1 },
  "batch 2000, two loops": { batchSize: 2000, loops: 2 },
  "strict FIFO, batch 500": { batchSize: 500, loops: 1, policy: "key_strict_fifo" },
  "strict FIFO, batch 2000": { batchSize: 2000, loops: 1, policy: "key_strict_fifo" },
  "one by one": { batchSize: 1, loops: 1 },
  "strict FIFO on one key": { batchSize: 1, loops: 1, policy: "key_strict_fifo" },
  notify: { batchSize: 1, loops: 1 },
};

const BY_MODE: Partial<Record<Mode, string[]>> = {
  drain: ["batch 500", "batch 2000", "batch 2000, two loops"],
  keyed: ["strict FIFO, batch 500", "strict FIFO, batch 2000"],
  serial: ["one by one"],
  add: ["one by one"],
  latency: ["notify"],
  stop: ["one by one", "strict FIFO on one key"],
};

const BULK = 5_000;
const RETRY_SECONDS = 1;

export default {
  name: "pg-boss",
  role: "peer",
  store: "postgres",
  package: "pg-boss",
  recovery: { seconds: 15 * 60, because: "expireInSeconds is 900" },
  variants: (mode) => BY_MODE[mode] ?? [],

  async open(place, { mode, variant, maxAttempts }): Promise<Contender> {
    const settings = VARIANTS[variant] ?? { batchSize: 1, loops: 1 };
    const { queue } = place;
    const notify = mode === "latency";
    const boss = new PgBoss({
      connectionString: place.postgresUrl ?? "",
      max: 10,
      supervise: false,
      schedule: false,
      useListenNotify: notify,
    });
    boss.on("error", () => {});
    await boss.start();
    await boss.createQueue(queue, {
      ...(settings.policy ? { policy: settings.policy } : {}),
      ...(maxAttempts === undefined ? {} : { retryLimit: maxAttempts - 1, retryDelay: RETRY_SECONDS }),
      notify,
    });
    const probe = new pg.Pool({ connectionString: place.postgresUrl, max: 1 });
    const keyOf = (job: BenchJob) => (settings.policy ? { singletonKey: job.key ?? "line" } : {});

    return {
      settings: {
        ...settings,
        bulkAdd: BULK,
        pool: 10,
        supervise: false,
        ...(mode === "stop" ? { stop: "the loops of the process end" } : {}),
      },
      async addBulk(jobs) {
        for (let from = 0; from < jobs.length; from += BULK) {
          await boss.insert(
            queue,
            jobs.slice(from, from + BULK).map((job) => ({ data: job, ...keyOf(job) })),
          );
        }
      },
      async addOne(job) {
        await boss.send(queue, job, keyOf(job));
      },
      work: (options, handler) =>
        notify ? workOnNotify(boss, queue, handler) : workInLoops(boss, queue, settings, options, handler),
      async unfinished() {
        const { rows } = await probe.query(
          "select count(*)::int as n from pgboss.job where name = $1 and state in ('created', 'retry', 'active')",
          [queue],
        );
        return rows[0].n;
      },
      async close() {
        await boss.stop({ graceful: false, close: true });
        await probe.end();
      },
    };
  },
} satisfies ContenderKind;

async function workOnNotify(boss: PgBoss, queue: string, handler: Handler): Promise<Working> {
  await boss.work<BenchJob>(queue, { batchSize: 1, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    for (const job of jobs) await handler(job.data);
  });
  return { stop: () => boss.offWork(queue) };
}

async function workInLoops(
  boss: PgBoss,
  queue: string,
  settings: Settings,
  options: WorkOptions,
  handler: Handler,
): Promise<Working> {
  let running = true;
  const loop = async () => {
    while (running) {
      const jobs = await boss.fetch<BenchJob>(queue, {
        batchSize: settings.batchSize,
        includeMetadata: true,
      });
      if (jobs.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      const done: string[] = [];
      for (const job of jobs) {
        try {
          const result = handler(job.data);
          if (result) await result;
          done.push(job.id);
        } catch (error) {
          await boss.fail(queue, job.id, { message: String(error) });
          if (job.retryCount < job.retryLimit) continue;
          // It cannot pause a queue for every process, so the loops of this process end.
          if (options.onFinalFailure) running = false;
          options.onFinalFailure?.();
        }
      }
      if (done.length > 0) await boss.complete(queue, done);
    }
  };
  const loops = Array.from({ length: options.concurrency ?? settings.loops }, loop);
  return {
    async stop() {
      running = false;
      await Promise.all(loops);
    },
  };
}
