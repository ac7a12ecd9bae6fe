import { setTimeout as sleep } from "node:timers/promises";
import { sharedNow } from "../clock.ts";
import { percentile } from "../percentile.ts";
import { all, atMost, type Round, type Scenario } from "../scenario.ts";
import { startSecondProcess } from "../second-process.ts";

export default {
  name: "latency",
  title: "From add to handler start, idle",
  measures:
    "Milliseconds from just before the add to the start of the handler, one job at a time on an idle worker. PostgreSQL and Redis: added by another process. SQLite: by the same.",
  mode: "latency",
  full: { samples: 1_000, warm: 100 },
  quick: { samples: 100, warm: 20 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 180,
  main: { figure: "p50", unit: "ms p50", better: "lower" },
  also: [{ figure: "p99", unit: "ms p99" }],
  targets: [
    {
      store: "postgres",
      text: "≤ graphile-worker (p50 and p99), p50 ≤ 2.5 ms",
      reached: (ours, others) =>
        all(
          atMost(ours("p50"), others.of("graphile-worker", "p50")),
          atMost(ours("p99"), others.of("graphile-worker", "p99")),
          atMost(ours("p50"), 2.5),
        ),
    },
    {
      store: "sqlite",
      text: "≤ BullMQ (p50 and p99), p50 ≤ 0.8 ms",
      reached: (ours, others) =>
        all(
          atMost(ours("p50"), others.of("bullmq", "p50")),
          atMost(ours("p99"), others.of("bullmq", "p99")),
          atMost(ours("p50"), 0.8),
        ),
    },
  ],
  async run(round) {
    const contender = await round.open();
    const warm = round.size.warm ?? 0;
    const total = warm + (round.size.samples ?? 0);
    const adder = await startAdder(round, (n) => contender.addOne({ n }));
    let started = (_at: number) => {};
    let calls = 0;
    const working = await contender.work({}, () => {
      calls++;
      started(sharedNow());
    });
    // By now the worker has polled the queue once and waits.
    await sleep(300);

    const waits: number[] = [];
    for (let n = 0; n < total; n++) {
      const starting = new Promise<number>((resolve) => (started = resolve));
      const [addedAt, startedAt] = await Promise.all([adder.add(n), starting]);
      if (n >= warm) waits.push(startedAt - addedAt);
      // Long enough for the worker to be idle again, and uneven, so that no timer of the queue can synchronize with it.
      await sleep(3 + Math.random() * 5);
    }
    await working.stop();
    await adder.stop();
    await contender.close();
    return {
      figures: { p50: percentile(waits, 0.5), p99: percentile(waits, 0.99) },
      problems: calls === total ? [] : [`${calls} handler calls for ${total} jobs`],
      settings: contender.settings,
    };
  },
} satisfies Scenario;

interface Adder {
  /** Adds a job and resolves to the monotonic time just before the add. */
  add(n: number): Promise<number>;
  stop(): Promise<void>;
}

async function startAdder(
  { kind, variant, place }: Round,
  addHere: (n: number) => Promise<void>,
): Promise<Adder> {
  if (kind.store === "sqlite") {
    return {
      async add(n) {
        const at = sharedNow();
        await addHere(n);
        return at;
      },
      async stop() {},
    };
  }
  const other = await startSecondProcess({
    contender: kind.name,
    variant,
    mode: "latency",
    place,
    role: "add",
  });
  let added = (_at: number) => {};
  other.onMessage((message) => {
    if ("added" in message) added(message.at);
  });
  return {
    add(n) {
      const adding = new Promise<number>((resolve) => (added = resolve));
      other.request({ add: n });
      return adding;
    },
    stop: () => other.kill(),
  };
}
