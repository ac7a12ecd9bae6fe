import { type Andon, open, type Queue, Unretryable } from "andon";
import { holdLanes } from "../hold-lanes.ts";
import { LONG_LIFE, type Mix, QUEUE } from "./store-mix.ts";

const KINDS = ["UPLOAD", "MOVE", "RENAME", "TRASH", "DELETE"];

const JOBS_OF_A_LANE = 2;
const HELD_OF_A_THOUSAND = 20;
const CODES = 25;

/** Independent of the number of jobs, and so the same in a small and a large store. */
const STOPS = 40;
const SCHEDULES = 40;

const SLICE = 5_000;
const IN_ONE_PLAN = 500;
const PLACES = 500;

const BY = { actor: "key:bench", reason: "fills the store" };

interface Sync {
  n: number;
  fails?: true;
  path: string;
}

/**
 * Fills a store as it looks after a long time of work: most jobs are done; some failed, or were resolved or cancelled by
 * hand; others wait without a key, in lanes, behind held lanes or for a later time. They have several names and tenants. All
 * rows are written by the verbs that write them in production.
 */
export async function fillStore(url: string, jobs: number, mix: Mix = LONG_LIFE): Promise<void> {
  const andon = await open(url);
  const queue = andon.queue<Sync>(QUEUE, { attempts: 1 });
  const many = (name: Exclude<keyof Mix, "alerts" | "tenants">) => Math.round((jobs * mix[name]) / 1_000);
  const add = (count: number, options?: Options, fails?: true) =>
    addJobs(queue, mix.tenants, count, options, fails);
  await add(many("done"));
  // Every second one has a lane, and holds it after it has failed.
  const failing = many("failed") + many("resolved");
  const failed = await add(failing, (n) => (n % 2 === 0 ? {} : { key: `broken-${n}` }), true);
  await runAll(queue);
  await decide(queue, "skip", failed.slice(0, many("resolved")));
  await add(many("ready"));
  await add(many("laned"), (n) => ({ key: `lane-${n % Math.ceil(many("laned") / JOBS_OF_A_LANE)}` }));
  await add(many("scheduled"), (n) => ({ delay: 86_400_000 + n }));
  await decide(queue, "cancel", await add(many("cancelled")));
  const held = Math.round((jobs * HELD_OF_A_THOUSAND) / 1_000);
  await holdLanes(
    andon,
    QUEUE,
    Array.from({ length: held }, (_, n) => `lane-${n}`),
  );
  await stopsAndSchedules(andon, queue);
  // In a store that grows over days, the server's own vacuum does this.
  if (url.startsWith("postgres")) await andon.store.query("vacuum analyze");
  await andon.close();
}

type Options = (n: number) => Record<string, unknown>;

async function addJobs(
  queue: Queue<Sync>,
  tenants: number,
  count: number,
  options: Options = () => ({}),
  fails?: true,
): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += SLICE) {
    const payloads = Array.from({ length: Math.min(SLICE, count - from) }, (_, i) => ({
      n: from + i,
      path: `/projects/${(from + i) % 97}/reports/${from + i}.pdf`,
      ...(fails ? { fails } : {}),
    }));
    const added = await queue.addMany(payloads, ({ n }) => ({
      tenant: `tenant-${n % tenants}`,
      name: KINDS[n % KINDS.length],
      ...options(n),
    }));
    ids.push(...added.map(({ id }) => id));
  }
  return ids;
}

async function runAll(queue: Queue<Sync>): Promise<void> {
  const worker = await queue.work(
    ({ payload }) => {
      if (payload.fails) throw new Refused(payload);
    },
    { places: PLACES },
  );
  await queue.drained();
  await worker.close();
}

class Refused extends Unretryable {
  readonly code: string;
  constructor({ n, path }: Sync) {
    super(`the NAS refused to write ${path}`);
    this.code = `NAS_E${n % CODES}`;
  }
}

/** Decides through plans, as an operator decides about many jobs, so that each job gets its audit row. */
async function decide(queue: Queue<Sync>, action: "skip" | "cancel", jobs: readonly string[]): Promise<void> {
  for (let from = 0; from < jobs.length; from += IN_ONE_PLAN) {
    const { id } = await queue.plan({ action, ids: jobs.slice(from, from + IN_ONE_PLAN) }, BY);
    await queue.apply(id, BY);
  }
}

async function stopsAndSchedules(andon: Andon, queue: Queue<Sync>): Promise<void> {
  for (let n = 0; n < STOPS; n++) {
    await queue.stop(BY);
    await queue.resume(BY);
  }
  for (let n = 0; n < SCHEDULES; n++)
    await andon.schedules.put({
      name: `nightly-${n}`,
      queue: QUEUE,
      cron: `${n} 3 * * *`,
      timeZone: "Asia/Seoul",
    });
}
