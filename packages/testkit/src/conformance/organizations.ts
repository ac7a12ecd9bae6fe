import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const ACME = { tenant: "acme" } as const;
const NORTH = { tenant: "acme", organization: "7" } as const;
const SOUTH = { tenant: "acme", organization: "south" } as const;
const DECIDES = { actor: "key:north", reason: "ours", ...NORTH } as const;

/**
 * A failed and a waiting job of each organisation of a tenant, of the tenant itself, and of another tenant's `south`.
 */
async function someOfEach(bench: Bench) {
  const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
  await queue.work((job) => {
    if (job.payload === "bad") throw new Error("no");
  });
  const of = async (options: { tenant: string; organization?: string | number }) => {
    const bad = await queue.add("bad", options);
    const later = await queue.add("later", { ...options, delay: "1h" });
    await bench.reaches(bad.id, "failed");
    return [bad.id, later.id] as const;
  };
  const north = await of({ tenant: "acme", organization: 7 });
  const south = await of(SOUTH);
  const plain = await of(ACME);
  const foreign = await of({ tenant: "other", organization: "7" });
  return { queue, north, south, plain, foreign };
}

/** The scope of an organisation restricts like that of a tenant (X13). */
export function describeOrganizations(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "organisations of a tenant", (it) => {
    it("find, count and group exactly their own jobs; the tenant finds all of its own", async (bench) => {
      const { queue, north, south, plain } = await someOfEach(bench);
      const { read } = bench.store;
      expect((await bench.job(north[0])).organization).toBe("7");
      const found = async (filter: object) =>
        new Set((await bench.andon.search(filter)).items.map(({ id }) => id));
      expect(await found(NORTH)).toEqual(new Set(north));
      expect(await found({ ...NORTH, state: "failed" })).toEqual(new Set([north[0]]));
      expect(await found({ ...NORTH, text: north[1] })).toEqual(new Set([north[1]]));
      expect(await found({ ...NORTH, text: south[1] })).toEqual(new Set());
      expect(await found(ACME)).toEqual(new Set([...north, ...south, ...plain]));
      expect((await read.countsOfScope("line", NORTH)).counts).toMatchObject({ failed: 1, scheduled: 1 });
      expect((await read.countsOfScope("line", ACME)).counts).toMatchObject({ failed: 3, scheduled: 3 });
      expect((await queue.fingerprints(NORTH)).items).toMatchObject([{ count: 1, newestJobId: north[0] }]);
      expect((await queue.fingerprints(ACME)).items).toMatchObject([{ count: 3 }]);
      expect((await read.job({ id: north[0] }, NORTH))?.id).toBe(north[0]);
      expect(await read.job({ id: south[0] }, NORTH)).toBeUndefined();
      await expect(bench.andon.why(south[0], NORTH)).rejects.toMatchObject({ code: "JOB_NOT_FOUND" });
    });

    it("decide about their own jobs only, and see their own rows of the audit log", async (bench) => {
      const { queue, north, south } = await someOfEach(bench);
      const notFound = { code: "JOB_NOT_FOUND", status: 404 };
      await expect(queue.retry(south[0], DECIDES)).rejects.toMatchObject(notFound);
      await expect(queue.cancel(south[1], DECIDES)).rejects.toMatchObject(notFound);
      await expect(queue.stop(DECIDES)).rejects.toMatchObject({ code: "SCOPE_TOO_NARROW" });
      await queue.cancel(north[1], DECIDES);
      await queue.cancel(south[1], KIM);
      const targets = async (scope: object) =>
        (await bench.andon.audit(scope)).items.map(({ target }) => target);
      expect(await targets(NORTH)).toEqual([`job:${north[1]}`]);
      expect(await targets({ ...NORTH, action: "job.cancel" })).toEqual([`job:${north[1]}`]);
      expect(await targets(SOUTH)).toEqual([`job:${south[1]}`]);
      expect((await targets(ACME)).length).toBe(2);
      expect(await targets({ tenant: "other", organization: "7" })).toEqual([]);
    });

    it("read the feed of their own jobs", async (bench) => {
      const { queue, north, south, plain } = await someOfEach(bench);
      await queue.stop(KIM);
      const jobs = async (scope: object) =>
        new Set((await bench.store.read.events(0, 100, scope)).flatMap(({ jobId }) => jobId ?? []));
      expect(await jobs(NORTH)).toEqual(new Set([north[0]]));
      expect(await jobs({ ...NORTH, queue: "line" })).toEqual(new Set([north[0]]));
      expect(await jobs(ACME)).toEqual(new Set([north[0], south[0], plain[0]]));
      const types = (await bench.store.read.events(0, 100, NORTH)).map(({ type }) => type);
      expect(types).toEqual(["job.failed", "queue.stopped"]);
      const feed = bench.andon.watch({ after: 0, ...SOUTH });
      expect((await feed.next()).value).toMatchObject({ type: "job.failed", jobId: south[0] });
      await feed.return();
    });

    it("plan and apply over their own jobs, hidden from the others", async (bench) => {
      const { queue, north, south } = await someOfEach(bench);
      await expect(queue.plan({ action: "cancel", ids: [south[1]] }, DECIDES)).rejects.toMatchObject({
        code: "JOB_NOT_FOUND",
      });
      const foreign = queue.plan({ action: "cancel", filter: { organization: "south" } }, DECIDES);
      await expect(foreign).rejects.toMatchObject({ code: "PP-403-SCOPE" });
      const plan = await queue.plan({ action: "cancel" }, DECIDES);
      expect(plan.count).toBe(1);
      expect(await bench.andon.plan(plan.id, SOUTH)).toBeUndefined();
      expect((await bench.andon.plan(plan.id, NORTH))?.id).toBe(plan.id);
      await expect(queue.apply(plan.id, { ...DECIDES, organization: "south" })).rejects.toMatchObject({
        code: "PLAN_NOT_FOUND",
      });
      await queue.apply(plan.id, DECIDES);
      expect((await bench.job(north[1])).state).toBe("cancelled");
      expect((await bench.job(south[1])).state).toBe("scheduled");
    });
  });
}
