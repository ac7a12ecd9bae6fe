import { percentile } from "../percentile.ts";
import { atMost, type Scenario } from "../scenario.ts";
import { startSecondProcess } from "../second-process.ts";
import { jobs } from "./draining.ts";

/** Peers are shown with the time that follows from their defaults: to wait four hours would prove nothing more. */
export default {
  name: "recovery",
  title: "Recovery after kill -9 of a worker",
  measures:
    "Seconds from the kill until another process, already working, starts the dead worker's jobs again.",
  mode: "recover",
  full: { jobs: 200 },
  quick: { jobs: 20 },
  rounds: { full: 5, quick: 1 },
  timeoutSeconds: 120,
  main: { figure: "p99", unit: "s p99", better: "lower" },
  also: [{ figure: "p50", unit: "s p50" }],
  targets: (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: "p99 < 15 s",
    reached: (ours) => atMost(ours("p99"), 14.999),
  })),
  cited: (kind) =>
    kind.role === "ours"
      ? undefined
      : kind.recovery && `${kind.recovery.seconds} s by default (${kind.recovery.because}); not waited for`,
  async run({ open, kind, variant, place, size }) {
    const count = size.jobs ?? 0;
    const contender = await open();
    await contender.addBulk(jobs(count));

    const doomed = await startSecondProcess({
      contender: kind.name,
      variant,
      mode: "recover",
      place,
      role: "hang",
      concurrency: count,
    });
    const lost = new Set<number>();
    await new Promise<void>((resolve) => {
      doomed.onMessage((message) => {
        if ("started" in message) lost.add(message.started);
        if (lost.size === count) resolve();
      });
    });

    let killedAt = Number.POSITIVE_INFINITY;
    let early = 0;
    const seconds = new Map<number, number>();
    let allBack = () => {};
    const back = new Promise<void>((resolve) => (allBack = resolve));
    const working = await contender.work({ concurrency: count }, (job) => {
      const waited = (performance.now() - killedAt) / 1000;
      if (waited < 0) early++;
      seconds.set(job.n, waited);
      if (seconds.size === count) allBack();
    });
    await doomed.kill();
    killedAt = performance.now();
    await back;
    await working.stop();
    await contender.close();
    const waits = [...seconds.values()];
    return {
      figures: { p50: percentile(waits, 0.5), p99: percentile(waits, 0.99) },
      problems: early > 0 ? [`${early} jobs ran twice while their worker was alive`] : [],
      settings: contender.settings,
    };
  },
} satisfies Scenario;
