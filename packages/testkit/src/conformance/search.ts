import { JOB_STATES, type Job, type JobState } from "@andon/contract";
import { type JobFilter, type Queue, Unretryable } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

/** Jobs in every state that a job can reach, in two queues, of three tenants, over some time. */
async function aCrowd(bench: Bench): Promise<Job[]> {
  const rules = { attempts: 2, backoff: { delay: "1h" }, onFinalFailure: "hold-lane" as const };
  const ids: string[] = [];
  for (const name of ["line", "other"]) {
    const queue = bench.andon.queue<string>(name, rules);
    const hands = bench.hands();
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
    await queue.work(hands.handler, { places: 5 });
    await endEach(bench, queue, hands, ids.slice(-6));
    const retried = await add("backs off", 6);
    (await hands.take(retried)).fail(new Error("Try LATER"));
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
  hands: ReturnType<Bench["hands"]>,
  ids: readonly string[],
) {
  const ends: ((id: string) => Promise<unknown>)[] = [
    async (id) => (await hands.take(id)).succeed(),
    async (id) => {
      await queue.cancel(id, KIM);
      (await hands.take(id)).fail(new Error("stopped"));
      await bench.reaches(id, "cancelled");
    },
    async (id) => {
      await failFinally(bench, hands, id);
      await queue.skip(id, KIM);
    },
    (id) => failFinally(bench, hands, id),
  ];
  for (const [index, id] of ids.slice(0, 4).entries()) await ends[index]?.(id);
  await bench.settled();
}

async function failFinally(bench: Bench, hands: ReturnType<Bench["hands"]>, id: string) {
  (await hands.take(id)).fail(new Unretryable("No space LEFT"));
  await bench.reaches(id, "failed");
}

const contains = (job: Job, text: string) =>
  [job.id, job.ticket, job.name, ...job.keys, job.error?.message ?? ""].some((part) =>
    part.toLowerCase().includes(text.toLowerCase()),
  );

/** What each member of a filter means. */
const MEANING: { [Member in keyof JobFilter]-?: (job: Job, value: never) => boolean } = {
  queue: (job, queue: string) => job.queue === queue,
  state: (job, state: JobState) => job.state === state,
  key: (job, key: string) => job.keys.includes(key),
  name: (job, name: string) => job.name === name,
  tenant: (job, tenant: string) => job.tenant === tenant,
  from: (job, from: number) => job.createdAt >= from,
  to: (job, to: number) => job.createdAt < to,
  fingerprint: (job, fingerprint: string) => job.error?.fingerprint === fingerprint,
  text: (job, text: string) => contains(job, text),
};

const isMeant = (job: Job, filter: JobFilter) =>
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
    from: [middle.createdAt],
    to: [middle.createdAt],
    fingerprint: [failed.error?.fingerprint],
    text: ["space left", "UPLOAD", middle.ticket, middle.id, 'key", w', "%"],
  };
  const members = Object.entries(values) as [keyof JobFilter, never[]][];
  const single = members.flatMap(([member, list]) => list.map((value): JobFilter => ({ [member]: value })));
  const pairs = single.flatMap((one, index) => single.slice(index + 1).map((two) => ({ ...one, ...two })));
  return [{}, ...single, ...pairs, ...JOB_STATES.map((state) => ({ queue: "line", state }))];
}

/** Jobs by filter (X10). That it takes no longer with a million jobs is measured by the benchmark `operators`. */
export function describeSearch(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "search", (it) => {
    it("finds what each filter means, alone and in pairs, newest first", async (bench) => {
      const jobs = await aCrowd(bench);
      expect(new Set(jobs.map((job) => job.state)).size).toBeGreaterThanOrEqual(7);
      for (const filter of filtersFor(jobs)) {
        const what = JSON.stringify(filter);
        const isNamed = (job: Job) => Number(job.id === filter.text || job.ticket === filter.text);
        const meant = jobs
          .filter((job) => isMeant(job, filter))
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
        expect(seen).toEqual(jobs.filter((job) => isMeant(job, filter)).map((job) => job.id));
      }
    });

    it("lists a queue's waiting jobs in the order they will run", async (bench) => {
      const queue = bench.queue<string>();
      await queue.addMany(["a", "urgent", "b"], (payload) => ({ priority: payload === "urgent" ? 9 : 0 }));
      const { items } = await bench.andon.search({ queue: "line", state: "ready" });
      expect(items.map((job) => job.payload)).toEqual(["urgent", "a", "b"]);
    });

    it("says when it did not look at everything", async (bench) => {
      const queue = bench.queue<number>();
      const many = Array.from({ length: 10_001 }, (_, n) => n);
      await queue.addMany(many, (n) => ({ name: n === 0 ? "first of all" : "later", tenant: "ann" }));
      expect(await bench.andon.search({ queue: "line" })).toMatchObject({ total: 10_001 });
      const found = await bench.andon.search({ name: "first of all" });
      expect(found).toMatchObject({ total: 0, more: true });
      expect(await bench.andon.search({ name: "later" })).toMatchObject({ more: true });
      expect(await bench.andon.search({ tenant: "ann" })).toMatchObject({ total: 10_000, more: true });
      const { counts, more } = await bench.store.read.countsOfTenant("line", "ann");
      expect([counts.ready, more]).toEqual([1_000, true]);
    });

    it("looks at everything where there is no more than it may count", async (bench) => {
      const queue = bench.queue<number>();
      const many = Array.from({ length: 2_500 }, (_, n) => n);
      await queue.addMany(many, (n) => ({ name: n === 0 ? "first of all" : "later", tenant: "ann" }));
      for (const [filter, total] of [
        [{ name: "first of all" }, 1],
        [{ name: "later" }, 2_499],
        [{ tenant: "ann" }, 2_500],
        [{ text: "LATER" }, 2_499],
        [{ tenant: "ann", name: "later", state: "ready" }, 2_499],
      ] as const) {
        const found = await bench.andon.search(filter);
        expect([filter, found.total, found.more]).toEqual([filter, total, undefined]);
      }
      const { counts, more } = await bench.store.read.countsOfTenant("line", "ann");
      expect([counts.ready, more]).toEqual([2_500, false]);
    });

    it("goes on looking as pages are turned, without losing or doubling a job", async (bench) => {
      const queue = bench.queue<number>();
      const added = await queue.addMany(
        Array.from({ length: 900 }, (_, n) => n),
        (n) => ({ name: n % 2 ? "odd" : "even", tenant: "ann" }),
      );
      for (const filter of [
        { name: "odd" },
        { name: "odd", queue: "line" },
        { name: "odd", tenant: "ann" },
      ]) {
        const seen: string[] = [];
        for (let page = 1, more = true; more; page++) {
          const { items, total } = await bench.andon.search(filter, { page, limit: 100 });
          expect(total).toBeGreaterThanOrEqual(seen.length + items.length);
          seen.push(...items.map((job) => job.id));
          more = items.length === 100;
        }
        const odd = added.filter((_, n) => n % 2 === 1).map((job) => job.id);
        expect(seen).toEqual(odd.reverse());
      }
    });

    it("lists a quiet queue behind a busy one newest first", async (bench) => {
      const quiet = bench.andon.queue<number>("quiet");
      const added = await quiet.addMany([1, 2, 3, 4], (n) => ({ delay: n === 2 ? "1h" : 0, key: "k" }));
      await bench.queue<number>().addMany(Array.from({ length: 700 }, (_, n) => n));
      const found = await bench.andon.search({ queue: "quiet" }, { limit: 3 });
      expect(found.total).toBe(4);
      expect(found.items.map((job) => job.id)).toEqual(
        added
          .slice(1)
          .map((job) => job.id)
          .reverse(),
      );
    });

    it("finds a tenant's done jobs behind its newer ones and behind other tenants' newer ones", async (bench) => {
      const queue = bench.queue<string>();
      const worker = await queue.work(() => {}, { places: 50 });
      const [own] = await queue.addMany(["own"], { tenant: "ann" });
      await queue.addMany(
        Array.from({ length: 400 }, () => "of another"),
        { tenant: "bob" },
      );
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 401);
      await worker.close();
      await queue.addMany(
        Array.from({ length: 1_100 }, () => "waits"),
        (_, n) => ({ tenant: "ann", delay: 1_000 * (n + 60) }),
      );
      await queue.addMany(
        Array.from({ length: 700 }, () => "waits"),
        { tenant: "bob", delay: "1h" },
      );
      const found = await bench.andon.search({ tenant: "ann", state: "done" });
      expect(found.items.map((job) => job.id)).toEqual([own?.id]);
    });

    it("looks first at jobs made in the time that is asked for, then around it", async (bench) => {
      const queue = bench.queue<number>();
      const [early] = await queue.addMany([0]);
      bench.clock.jump(10);
      const to = bench.clock.now();
      await queue.addMany(Array.from({ length: 1_100 }, (_, n) => n));
      const found = await bench.andon.search({ to, name: "line" });
      expect(found.items.map((job) => job.id)).toEqual([early?.id]);
    });

    it("lists a tenant's failed jobs in the order they failed, the last one first", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const hands = bench.hands();
      await queue.work(hands.handler, { places: 9 });
      const ids: string[] = [];
      for (const tenant of ["ann", "bob", "ann", "ann"]) ids.push((await queue.add("x", { tenant })).id);
      for (const index of [2, 0, 1, 3]) {
        await failFinally(bench, hands, ids[index] as string);
        await bench.pass(7);
      }
      const page = await bench.andon.search({ queue: "line", state: "failed", tenant: "ann" }, { limit: 2 });
      expect(page).toMatchObject({ total: 3 });
      expect(page.more).toBeUndefined();
      expect(page.items.map((job) => job.id)).toEqual([ids[3], ids[0]]);
      const all = await bench.andon.search({ state: "failed", tenant: "ann", name: "line" });
      expect(all.items.map((job) => job.id)).toEqual([ids[3], ids[2], ids[0]]);
    });

    it("finds what an index knows, however many newer jobs there are", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const worker = await queue.work(() => {
        throw new Error("an old failure");
      });
      const failed = await bench.reaches((await queue.add("fails")).id, "failed");
      await worker.close();
      const [first, second] = await queue.addMany(["a", "b"], { key: "old", tenant: "ann" });
      await queue.addMany(
        Array.from({ length: 10_001 }, () => "newer"),
        (_, n) => ({ tenant: `t${n % 9}` }),
      );
      const found = async (filter: JobFilter) => {
        const { items, more } = await bench.andon.search(filter);
        return [more ?? false, ...items.map((job) => job.id)];
      };
      expect(await found({ key: "old" })).toEqual([true, second?.id, first?.id]);
      expect(await found({ fingerprint: failed.error?.fingerprint })).toEqual([true, failed.id]);
      expect(await found({ text: failed.id.toUpperCase() })).toEqual([true, failed.id]);
      expect((await found({ text: first?.ticket, state: "ready" }))[1]).toBe(first?.id);
      expect(await found({ tenant: "ann", name: "line" })).toEqual([false, second?.id, first?.id]);
      expect(await found({ state: "blocked", tenant: "ann" })).toEqual([false, second?.id]);
      expect(await found({ state: "failed", text: "OLD fail" })).toEqual([false, failed.id]);
    });

    it("counts a tenant's jobs by state", async (bench) => {
      const jobs = await aCrowd(bench);
      for (const tenant of ["default", "ann", "nobody"]) {
        const { counts, more } = await bench.store.read.countsOfTenant("line", tenant);
        const own = jobs.filter((job) => job.queue === "line" && job.tenant === tenant);
        for (const state of JOB_STATES)
          expect(counts[state], `${tenant} ${state}`).toBe(own.filter((job) => job.state === state).length);
        expect(more).toBe(false);
      }
    });

    it("counts what failed of a tenant behind its newer jobs", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const worker = await queue.work(() => {
        throw new Error("no");
      });
      const { id } = await queue.add("fails", { tenant: "ann" });
      await bench.reaches(id, "failed");
      await worker.close();
      await queue.addMany(
        Array.from({ length: 1_001 }, () => "waits"),
        { tenant: "ann" },
      );
      const { counts, more } = await bench.store.read.countsOfTenant("line", "ann");
      expect(counts).toMatchObject({ failed: 1, ready: 1_001 });
      expect(more).toBe(false);
    });

    it("refuses a filter that it does not know", async (bench) => {
      await expect(bench.andon.search({ tenantt: "x" } as never)).rejects.toThrow('Did you mean "tenant"?');
      await expect(bench.andon.search({ state: "gone" } as never)).rejects.toMatchObject({
        code: "INVALID_OPTION",
      });
    });
  });
}
