import { JOB_STATES, type Job, type JobState } from "@andon/contract";
import { type JobFilter, type Queue, Unretryable } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

/** Jobs in every reachable state, in two queues, of three tenants, over some time. */
async function aCrowd(bench: Bench): Promise<Job[]> {
  const rules = { attempts: 2, backoff: { delay: "1h" }, onFinalFailure: "hold-lane" as const };
  const ids: string[] = [];
  for (const name of ["line", "other"]) {
    const queue = bench.andon.queue<string>(name, rules);
    const manual = bench.manualHandler();
    const add = async (payload: string, n: number, extra = {}) => {
      const tenant = ["default", "ann", "bob"][n % 3] as string;
      const key = n % 4 === 0 ? 'odd "key", with \\' : `k${n % 4}`;
      const keys = n < 8 ? [key] : n < 11 ? [`k${n}`, "shared"] : [`alone ${n}`];
      const added = await queue.add(payload, { tenant, keys, name: n % 2 ? "Upload" : "move", ...extra });
      ids.push(added.id);
      bench.clock.jump(61_000);
      return added.id;
    };
    for (let n = 0; n < 6; n++) await add("ends", n);
    await queue.work(manual.handler, { places: 5 });
    await endEach(bench, queue, manual, ids.slice(-6));
    const retried = await add("backs off", 6);
    (await manual.take(retried)).fail(new Error("Try LATER"));
    await bench.reaches(retried, "scheduled");
    for (let n = 8; n < 14; n++) await add("runs or waits", n);
    await add("later", 15, { delay: "9h" });
    await bench.settled();
  }
  const jobs = await Promise.all(ids.map((id) => bench.job(id)));
  return jobs.reverse();
}

/** One is done, one cancelled, one settled by hand, the others fail. */
async function endEach(
  bench: Bench,
  queue: Queue<string>,
  manual: ReturnType<Bench["manualHandler"]>,
  ids: readonly string[],
) {
  const ends: ((id: string) => Promise<unknown>)[] = [
    async (id) => (await manual.take(id)).succeed(),
    async (id) => {
      await queue.cancel(id, KIM);
      (await manual.take(id)).fail(new Error("stopped"));
      await bench.reaches(id, "cancelled");
    },
    async (id) => {
      await failFinally(bench, manual, id);
      await queue.skip(id, KIM);
    },
    (id) => failFinally(bench, manual, id),
  ];
  for (const [index, id] of ids.slice(0, 4).entries()) await ends[index]?.(id);
  await bench.settled();
}

async function failFinally(bench: Bench, manual: ReturnType<Bench["manualHandler"]>, id: string) {
  (await manual.take(id)).fail(new Unretryable("No space LEFT"));
  await bench.reaches(id, "failed");
}

const contains = (job: Job, text: string) =>
  [job.id, job.ticket, job.name, ...job.keys, job.error?.message ?? ""].some((part) =>
    part.toLowerCase().includes(text.toLowerCase()),
  );

/** The meaning of each member of a filter. */
const MEANING: { [Member in keyof JobFilter]-?: (job: Job, value: never) => boolean } = {
  queue: (job, queue: string) => job.queue === queue,
  state: (job, state: JobState) => job.state === state,
  key: (job, key: string) => job.keys.includes(key),
  name: (job, name: string) => job.name === name,
  tenant: (job, tenant: string) => job.tenant === tenant,
  organization: (job, organization: string) => job.organization === organization,
  from: (job, from: number) => job.createdAt >= from,
  to: (job, to: number) => job.createdAt < to,
  fingerprint: (job, fingerprint: string) => job.error?.fingerprint === fingerprint,
  code: (job, code: string) => job.error?.code === code,
  text: (job, text: string) => contains(job, text),
};

const isMatching = (job: Job, filter: JobFilter) =>
  Object.entries(filter).every(([member, value]) => MEANING[member as keyof JobFilter](job, value as never));

function filtersFor(jobs: readonly Job[]): JobFilter[] {
  const failed = jobs.find((job) => job.state === "failed") as Job;
  const middle = jobs[Math.floor(jobs.length / 2)] as Job;
  const values: { [Member in keyof JobFilter]-?: JobFilter[Member][] } = {
    queue: ["line", "nowhere"],
    state: ["failed", "blocked", "done", "scheduled"],
    key: ['odd "key", with \\', "shared", '"key"'],
    name: ["Upload"],
    tenant: ["default", "ann"],
    organization: ["north"],
    from: [middle.createdAt],
    to: [middle.createdAt],
    fingerprint: [failed.error?.fingerprint],
    code: [failed.error?.code],
    text: ["space left", "UPLOAD", middle.ticket, middle.id, 'key", w', "%"],
  };
  const members = Object.entries(values) as [keyof JobFilter, never[]][];
  const single = members.flatMap(([member, list]) => list.map((value): JobFilter => ({ [member]: value })));
  const pairs = single.flatMap((one, index) => single.slice(index + 1).map((two) => ({ ...one, ...two })));
  return [{}, ...single, ...pairs, ...JOB_STATES.map((state) => ({ queue: "line", state }))];
}

/** Jobs by filter (X10). The benchmark `operators` measures that a search takes no longer with a million jobs. */
export function describeSearch(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "search", (it) => {
    it("finds the jobs that each filter matches, alone and in pairs, newest first", async (bench) => {
      const jobs = await aCrowd(bench);
      expect(new Set(jobs.map((job) => job.state)).size).toBeGreaterThanOrEqual(7);
      for (const filter of filtersFor(jobs)) {
        const what = JSON.stringify(filter);
        const isNamed = (job: Job) => Number(job.id === filter.text || job.ticket === filter.text);
        const meant = jobs
          .filter((job) => isMatching(job, filter))
          .toSorted((a, b) => isNamed(b) - isNamed(a))
          .map((job) => job.id);
        const found = await bench.andon.search(filter, { limit: 100 });
        const ids = found.items.map((job) => job.id);
        const ordered = filter.queue && filter.state ? ids.toSorted() : ids;
        expect(ordered, what).toEqual(filter.queue && filter.state ? meant.toSorted() : meant);
        expect(found.total, what).toBe(meant.length);
        expect(found.more, what).toBeUndefined();
      }
    });

    it("pages without losing or doubling a job", async (bench) => {
      const jobs = await aCrowd(bench);
      for (const filter of [{}, { queue: "line" }, { tenant: "ann" }, { name: "Upload" }]) {
        const seen: string[] = [];
        for (let page = 1; page <= 10; page++) {
          const { items } = await bench.andon.search(filter, { page, limit: 4 });
          seen.push(...items.map((job) => job.id));
        }
        expect(seen).toEqual(jobs.filter((job) => isMatching(job, filter)).map((job) => job.id));
      }
    });

    it("lists a queue's waiting jobs in the order they will run", async (bench) => {
      const queue = bench.queue<string>();
      await queue.addMany(["a", "urgent", "b"], (payload) => ({ priority: payload === "urgent" ? 9 : 0 }));
      const { items } = await bench.andon.search({ queue: "line", state: "ready" });
      expect(items.map((job) => job.payload)).toEqual(["urgent", "a", "b"]);
    });

    it("lists a tenant's failed jobs by the time of their failure, the last one first", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 9 });
      const ids: string[] = [];
      for (const tenant of ["ann", "bob", "ann", "ann"]) ids.push((await queue.add("x", { tenant })).id);
      for (const index of [2, 0, 1, 3]) {
        await failFinally(bench, manual, ids[index] as string);
        await bench.pass(7);
      }
      const page = await bench.andon.search({ queue: "line", state: "failed", tenant: "ann" }, { limit: 2 });
      expect(page).toMatchObject({ total: 3 });
      expect(page.more).toBeUndefined();
      expect(page.items.map((job) => job.id)).toEqual([ids[3], ids[0]]);
      const all = await bench.andon.search({ state: "failed", tenant: "ann", name: "line" });
      expect(all.items.map((job) => job.id)).toEqual([ids[3], ids[2], ids[0]]);
    });

    it("counts a tenant's jobs by state", async (bench) => {
      const jobs = await aCrowd(bench);
      for (const tenant of ["default", "ann", "nobody"]) {
        const { counts, more } = await bench.store.read.countsOfScope("line", { tenant });
        const own = jobs.filter((job) => job.queue === "line" && job.tenant === tenant);
        for (const state of JOB_STATES)
          expect(counts[state], `${tenant} ${state}`).toBe(own.filter((job) => job.state === state).length);
        expect(more).toBe(false);
      }
    });

    it("refuses an unknown filter", async (bench) => {
      await expect(bench.andon.search({ tenantt: "x" } as never)).rejects.toThrow('Did you mean "tenant"?');
      await expect(bench.andon.search({ state: "gone" } as never)).rejects.toMatchObject({
        code: "INVALID_OPTION",
      });
    });
  });
}
