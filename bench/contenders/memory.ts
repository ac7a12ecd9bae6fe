import type { BenchJob, Contender, ContenderKind, Working } from "../contender.ts";

/**
 * A queue in an array that supports every mode, with variants that each break one guarantee. It proves that the benchmark
 * notices (`--self-test`); it never appears in a table.
 */
export const FAULTS = [
  "loses a job",
  "runs a job twice",
  "swaps two jobs",
  "forgets to finish",
  "goes on after a failure",
];

export default {
  name: "memory",
  role: "peer",
  store: "sqlite",
  oneProcess: true,
  variants: () => ["honest", ...FAULTS],

  async open(_place, { variant, mode, maxAttempts = 1 }): Promise<Contender> {
    const waiting: BenchJob[] = [];
    const held = new Set<string>();
    let unfinished = 0;
    let calls = 0;
    let running = false;

    const next = (): BenchJob | undefined => {
      calls++;
      // Repeats, so that the fault occurs while measuring and not only during the warm-up.
      const faulty = calls % 50 === 0 && waiting.length > 10;
      // In the scenario with ten keys, the job ten places behind has the same key.
      if (variant === "swaps two jobs" && faulty) return waiting.splice(10, 1)[0];
      if (variant === "runs a job twice" && faulty) return waiting[0];
      if (variant === "loses a job" && faulty) waiting.shift();
      const at = held.size === 0 ? 0 : waiting.findIndex((job) => !held.has(job.key ?? ""));
      return at < 0 ? undefined : waiting.splice(at, 1)[0];
    };

    return {
      settings: { mode },
      async addBulk(jobs) {
        waiting.push(...jobs);
        unfinished += jobs.length;
      },
      async addOne(job) {
        waiting.push(job);
        unfinished++;
      },
      async work(options, handler): Promise<Working> {
        running = true;
        const one = async (job: BenchJob) => {
          for (let attempt = 1; attempt <= maxAttempts; attempt++) {
            try {
              return await handler(job);
            } catch {
              if (attempt < maxAttempts) continue;
              if (variant !== "goes on after a failure") running = false;
              options.onFinalFailure?.();
            }
          }
        };
        const loop = async () => {
          while (running) {
            const before = performance.now();
            const job = next();
            options.onClaim?.(performance.now() - before);
            if (job === undefined) {
              await new Promise((resolve) => setTimeout(resolve, 1));
              continue;
            }
            await one(job);
            if (variant !== "forgets to finish" || calls % 50 !== 0) unfinished--;
          }
        };
        const looping = loop();
        return {
          async stop() {
            running = false;
            await looping;
          },
        };
      },
      async unfinished() {
        return unfinished;
      },
      async holdKeys(keys) {
        for (const key of keys) held.add(key);
      },
      async close() {},
    };
  },
} satisfies ContenderKind;
