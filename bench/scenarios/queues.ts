import { percentile } from "../percentile.ts";
import { all, atMost, type Round, type Scenario, type Target } from "../scenario.ts";
import { startAndon } from "../servers/andon.ts";
import { storeUrl } from "../store-url.ts";

const CALLS = 200;
const JOBS_EACH = 3;
const MOST_MS = 50;

const target = (store: "postgres" | "sqlite"): Target => ({
  store,
  text: `all within ${MOST_MS} ms, p99`,
  reached: (ours) => all(atMost(ours(), MOST_MS), atMost(ours("pageP99"), MOST_MS)),
});

export default {
  name: "queues",
  title: "The list of many queues",
  measures: `Milliseconds of the library's \`queues()\`, which returns all of them, and of a page of \`GET /admin/queues\`, one call at a time, with ${JOBS_EACH} jobs in each queue.`,
  mode: "server",
  full: { queues: 1_000 },
  quick: { queues: 200 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 300,
  main: { figure: "p99", unit: "ms p99, all", better: "lower" },
  also: [
    { figure: "p50", unit: "ms p50, all" },
    { figure: "pageP99", unit: "ms p99, a page" },
  ],
  targets: [target("postgres"), target("sqlite")],
  async run({ kind, place, size }: Round) {
    const { queues = 0 } = size;
    const { open } = await import("andon");
    const url = storeUrl(kind.store, place);
    const andon = await open(url);
    for (let n = 0; n < queues; n++)
      await andon.queue<number>(`queue-${n}`).addMany(Array.from({ length: JOBS_EACH }, (_, job) => job));
    const whole = await timesOf(() => andon.queues());
    const listed = (await andon.queues()).filter(({ queue }) => queue.startsWith("queue-")).length;
    await andon.close();
    const server = await startAndon({
      folder: place.folder,
      storeUrl: url,
      config: { log: { level: "warn" } },
    });
    const headers = { authorization: `Bearer ${server.token}` };
    const pages = await timesOf(async () =>
      (await fetch(`${server.url}/admin/queues?limit=100`, { headers })).json(),
    ).finally(() => server.stop());
    return {
      figures: {
        p50: percentile(whole, 0.5),
        p99: percentile(whole, 0.99),
        pageP99: percentile(pages, 0.99),
      },
      problems: listed === queues ? [] : [`${listed} of ${queues} queues were listed`],
      settings: { queues },
    };
  },
} satisfies Scenario;

async function timesOf(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  return times;
}
