import { percentile } from "../percentile.ts";
import { atMost, type Round, type Scenario, type Target } from "../scenario.ts";
import { storeUrl } from "../store-url.ts";

const WANT = 8;
const CLAIMS = 200;
const AT_ONCE = 1_000;
const MOST_MS = 5;

const target = (store: "postgres" | "sqlite"): Target => ({
  store,
  text: `a claim takes ≤ ${MOST_MS} ms`,
  reached: (ours) => atMost(ours(), MOST_MS),
});

export default {
  name: "fair",
  title: "Claims of a queue that many tenants share",
  measures: `Milliseconds that a request takes which finishes ${WANT} jobs and claims ${WANT}, while one tenant's flood and a job of each other tenant wait. Checked: no tenant's job waits until the flood is over.`,
  mode: "server",
  full: { tenants: 10_000, flood: 5_000 },
  quick: { tenants: 1_000, flood: 1_000 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 300,
  main: { figure: "p50", unit: "ms p50", better: "lower" },
  also: [{ figure: "p99", unit: "ms p99" }],
  targets: [target("postgres"), target("sqlite")],
  async run({ kind, place, size }: Round) {
    const { tenants = 0, flood = 0 } = size;
    const { open } = await import("andon");
    const { completionOf } = await import("@andon/engine/verbs");
    const andon = await open(storeUrl(kind.store, place));
    const queue = andon.queue<number>("shared", { fair: true });
    const numbers = Array.from({ length: flood + tenants }, (_, n) => n);
    for (let from = 0; from < numbers.length; from += AT_ONCE)
      await queue.addMany(numbers.slice(from, from + AT_ONCE), (n) => ({
        tenant: n < flood ? "flood" : `tenant-${n}`,
      }));
    const times: number[] = [];
    const claimed = new Map<string, number>();
    let done: ReturnType<typeof completionOf>[] = [];
    for (let claim = 0; claim < CLAIMS; claim++) {
      const begun = performance.now();
      const { claims } = await andon.store.finishAndClaim({
        queue: "shared",
        worker: "bench",
        done,
        want: WANT,
        limit: null,
        rate: null,
        serial: false,
        sharing: { most: null },
      });
      times.push(performance.now() - begun);
      for (const { job } of claims) claimed.set(job.tenant, (claimed.get(job.tenant) ?? 0) + 1);
      done = claims.map((one) => completionOf(one, null));
    }
    await andon.close();
    const others = claimed.size - 1;
    return {
      figures: { p50: percentile(times, 0.5), p99: percentile(times, 0.99) },
      problems: others < CLAIMS ? [`${others} tenants were served beside the flood in ${CLAIMS} claims`] : [],
      settings: { tenants, flood, want: WANT },
    };
  },
} satisfies Scenario;
