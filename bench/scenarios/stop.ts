import { setTimeout as sleep } from "node:timers/promises";
import type { Contender } from "../contender.ts";
import { all, atMost, type Round, type Scenario } from "../scenario.ts";
import { type SecondProcess, startSecondProcess } from "../second-process.ts";
import { jobs } from "./draining.ts";
import { judgeTrial, startTrial, type TrialLog } from "./stop-trial.ts";

/** The places of each trial. From two on they are divided between two processes. */
const PLACES = [1, 2, 4, 8, 16];
const FAILING = 10;

/**
 * Two kinds of trial, each on its own queue:
 *
 * - *leak*: one job fails at its only attempt. A leak is a job that starts after the queue has recorded that failure.
 *   Queues without their own stop use the best means of their interface (see `stop` in the settings).
 * - *overtake*: one job fails twice, with a back-off in between. A trial is overtaken if a later job starts between its
 *   first failure and its last.
 */
export default {
  name: "stop",
  title: "Started after the final failure, and overtakes of its retries",
  measures:
    "`leaks`: jobs that started after the final failure was recorded. `overtaken`: trials in which a later job passed one that waited for its retry. 1 to 16 places in one or two processes.",
  mode: "stop",
  full: { trials: 100, ours: 1_000, jobs: 60 },
  quick: { trials: 10, ours: 30, jobs: 60 },
  rounds: { full: 1, quick: 1 },
  timeoutSeconds: 1_800,
  main: { figure: "leaks", unit: "leaks", better: "lower" },
  also: [
    { figure: "leaking", unit: "trials leaking" },
    { figure: "overtaken", unit: "trials overtaken" },
    { figure: "trials", unit: "trials of each" },
  ],
  targets: (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: "0 leaks and 0 overtakes",
    reached: (ours) => all(atMost(ours("leaks"), 0), atMost(ours("overtaken"), 0)),
  })),
  async run(round) {
    const trials = (round.kind.role === "ours" ? round.size.ours : round.size.trials) ?? 0;
    const figures = { leaks: 0, leaking: 0, overtaken: 0, trials };
    let settings = {};
    let next = 0;
    const lane = async () => {
      const other = round.kind.oneProcess ? undefined : await startOther(round);
      while (next < trials) {
        const trial = next++;
        const places = PLACES[trial % PLACES.length] ?? 1;
        const leak = await attempt(round, other, `leak-${trial}`, places, 1);
        figures.leaks += leak.leaks;
        if (leak.leaks > 0) figures.leaking++;
        const retried = await attempt(round, other, `retry-${trial}`, places, 2);
        if (retried.overtaken) figures.overtaken++;
        settings = leak.settings;
      }
      await other?.kill();
    };
    // Three at a time: most of an overtake trial is waiting for a back-off.
    await Promise.all([lane(), lane(), lane()]);
    return { figures, problems: [], settings };
  },
} satisfies Scenario;

const startOther = ({ kind, variant, place }: Round) =>
  startSecondProcess({ contender: kind.name, variant, mode: "stop", place, role: "trial" });

async function attempt(
  round: Round,
  other: SecondProcess | undefined,
  queue: string,
  places: number,
  maxAttempts: number,
) {
  const shared = places > 1 && other !== undefined;
  const order = { queue, maxAttempts, failing: FAILING, concurrency: Math.ceil(places / (shared ? 2 : 1)) };
  let report = () => {};
  const finallyFailed = new Promise<void>((resolve) => {
    report = resolve;
  });
  const contender: Contender = await round.open({ queue, maxAttempts });
  // One by one: some queues lose the order inside a bulk add, and without an order no job can be overtaken.
  for (const job of jobs(round.size.jobs ?? 0)) await contender.addOne(job);
  const remote = shared ? startRemote(other, order, () => report()) : undefined;
  const here = await startTrial(contender, order, () => report());
  await remote?.started;

  const tooLong = new AbortController();
  const limit = sleep(30_000, undefined, { signal: tooLong.signal }).then(
    () => Promise.reject(new Error("the final failure was never reported")),
    () => {},
  );
  await Promise.race([finallyFailed, limit]);
  tooLong.abort();
  // A leak happens at once; the trial does not wait for the rest of the queue.
  await sleep(60);
  const logs: TrialLog[] = await Promise.all([here.stop(), ...(remote ? [remote.stop()] : [])]);
  const verdict = judgeTrial(logs, FAILING);
  const audited = await contender.claimsAfterStop?.();
  await contender.close();
  return { ...verdict, leaks: audited ?? verdict.leaks, settings: contender.settings };
}

function startRemote(other: SecondProcess, order: Parameters<typeof startTrial>[1], onRecorded: () => void) {
  let started = () => {};
  let logged = (_log: TrialLog) => {};
  const starting = new Promise<void>((resolve) => {
    started = resolve;
  });
  const logging = new Promise<TrialLog>((resolve) => {
    logged = resolve;
  });
  other.onMessage((message) => {
    if ("trialStarted" in message) started();
    if ("finallyFailed" in message) onRecorded();
    if ("log" in message) logged(message.log);
  });
  other.request({ trial: order });
  return {
    started: starting,
    stop() {
      other.request({ halt: true });
      return logging;
    },
  };
}
