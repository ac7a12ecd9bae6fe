import { setTimeout as sleep } from "node:timers/promises";
import { all, atLeast, atMost, type Round, type Scenario } from "../scenario.ts";
import { storeUrl } from "../store-url.ts";

const LEAST_KEPT = 0.9;
const MOST_STOP_MS = 300;
/**
 * The duration of a handler, long enough that the rate depends on the lanes and not on the machine. On a fully loaded machine
 * any open transaction costs a seventh, on whatever table: PostgreSQL cannot remove dead rows meanwhile.
 */
const HANDLER_MS = 60;
const DECISION = { actor: "bench", reason: "measured" };

/** PostgreSQL only: on SQLite an open transaction locks the file for everybody. */
export default {
  name: "stranger",
  title: "A stranger's open transaction on one of 100 lanes",
  measures:
    "`kept`: the rate of the other lanes while a caller has added to one lane in a transaction that stays open, over their rate before. `stop`: how long a stop takes meanwhile.",
  mode: "server",
  full: { lanes: 100, seconds: 10 },
  quick: { lanes: 100, seconds: 3 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 180,
  main: { figure: "kept", unit: "of the rate kept", better: "higher" },
  also: [
    { figure: "rate", unit: "jobs/s before" },
    { figure: "stop", unit: "ms until stopped" },
  ],
  targets: [
    {
      store: "postgres",
      text: "the other lanes keep ≥ 0.9 of their rate, a stop takes ≤ 300 ms",
      reached: (ours) => all(atLeast(ours(), LEAST_KEPT), atMost(ours("stop"), MOST_STOP_MS)),
    },
  ],
  cited: (kind) => (kind.store === "postgres" ? undefined : "one writer at a time"),
  async run({ place, size }: Round) {
    const { lanes = 0, seconds = 0 } = size;
    const { open } = await import("andon");
    const { pg } = await import("../peers/postgres-client.ts");
    const andon = await open(storeUrl("postgres", place));
    const queue = andon.queue<number>("lanes");
    const jobs = Array.from({ length: lanes * seconds * 100 }, (_, n) => n % lanes);
    for (let from = 0; from < jobs.length; from += 1_000)
      await queue.addMany(jobs.slice(from, from + 1_000), (lane) => ({ key: `lane-${lane}` }));
    let others = 0;
    await queue.work(
      async ({ payload: lane }) => {
        await sleep(HANDLER_MS);
        if (lane > 0) others++;
      },
      { places: lanes },
    );
    const rateOver = async (ms: number) => {
      const [from, begun] = [others, performance.now()];
      await sleep(ms);
      return ((others - from) * 1_000) / (performance.now() - begun);
    };
    await sleep(1_000);
    const rate = await rateOver(seconds * 1_000);
    const stranger = new pg.Client(place.postgresUrl);
    await stranger.connect();
    await stranger.query("begin");
    await queue.add(0, { key: "lane-0", tx: stranger });
    const meanwhile = await rateOver(seconds * 1_000);
    const begun = performance.now();
    await queue.stop(DECISION);
    const stop = performance.now() - begun;
    await stranger.query("rollback");
    await stranger.end();
    await andon.close();
    return { figures: { kept: meanwhile / rate, rate, stop }, problems: [], settings: { lanes, seconds } };
  },
} satisfies Scenario;
