import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const ANN = { actor: "key:ann", tenant: "ann", reason: "mine" } as const;

/** One failed, one scheduled and one ready job each of two tenants. */
async function twoTenants(bench: Bench) {
  const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
  await queue.work((job) => {
    if (job.payload === "bad") throw new Error(`no for ${job.tenant}`);
  });
  const of = async (tenant: string) => {
    const bad = await queue.add("bad", { tenant, key: `key of ${tenant}` });
    const waiting = await queue.add("waits", { tenant, key: `key of ${tenant}` });
    const later = await queue.add("later", { tenant, delay: "1h" });
    await bench.reaches(bad.id, "failed");
    return { bad, waiting, later };
  };
  return { queue, ann: await of("ann"), bob: await of("bob") };
}

/** A caller limited to one tenant sees and changes only its own jobs, and cannot learn that others exist (X13). */
export function describeScope(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "scope of a tenant", (it) => {
    it("finds a job by id, ticket and position only where it is the tenant's own", async (bench) => {
      const { ann } = await twoTenants(bench);
      const { read } = bench.store;
      const job = await read.job({ id: ann.bad.id });
      for (const reference of [{ id: ann.bad.id }, { ticket: ann.bad.ticket }, { pos: job?.pos ?? 0 }]) {
        expect((await read.job(reference, { tenant: "ann" }))?.id).toBe(ann.bad.id);
        expect((await read.job(reference, {}))?.id).toBe(ann.bad.id);
        expect(await read.job(reference, { tenant: "bob" })).toBeUndefined();
      }
    });

    it("decides about the tenant's own jobs only", async (bench) => {
      const { queue, ann, bob } = await twoTenants(bench);
      const notFound = { code: "JOB_NOT_FOUND", status: 404 };
      await expect(queue.retry(bob.bad.id, ANN)).rejects.toMatchObject(notFound);
      await expect(queue.skip(bob.bad.id, ANN)).rejects.toMatchObject(notFound);
      await expect(queue.cancel(bob.waiting.id, ANN)).rejects.toMatchObject(notFound);
      await expect(queue.runNow(bob.later.id, ANN)).rejects.toMatchObject(notFound);
      expect((await bench.andon.audit()).total).toBe(0);
      await queue.runNow(ann.later.id, ANN);
      await queue.cancel(ann.waiting.id, ANN);
      await queue.skip(ann.bad.id, ANN);
      expect((await bench.job(ann.bad.id)).state).toBe("resolved");
      expect((await bench.andon.audit({ tenant: "ann" })).total).toBe(3);
      expect((await bench.andon.audit({ tenant: "bob" })).total).toBe(0);
    });

    it("cannot decide about whole queues", async (bench) => {
      const { queue, ann } = await twoTenants(bench);
      const refused = { code: "SCOPE_TOO_NARROW", status: 403 };
      for (const decide of [
        () => queue.stop(ANN),
        () => queue.resume(ANN),
        () => queue.retryAll(ANN),
        () => queue.skipAllAndResume(ANN),
        () => queue.skipWithRest(ann.bad.id, ANN),
      ])
        await expect(decide()).rejects.toMatchObject(refused);
      expect((await queue.status()).state).toBe("open");
    });

    it("reads the feed of its own jobs, and of queues without data of other tenants", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "stop-queue" });
      await queue.work(() => {
        throw new Error("the file of ann is broken");
      });
      const { id } = await queue.add("bad", { tenant: "ann" });
      await bench.reaches(id, "failed");
      await queue.retry(id, ANN);
      await queue.resume(KIM);
      await bench.reaches(id, "failed");
      const told = async (tenant?: string) => bench.store.read.events(0, 100, { tenant });
      const types = (events: Awaited<ReturnType<typeof told>>) => events.map((event) => event.type);
      const all = await told();
      expect(types(await told("ann"))).toEqual(types(all).filter((type) => type !== "jobs.done"));
      expect((await told("ann")).map((event) => event.id)).toEqual(
        all.filter((event) => event.type !== "jobs.done").map((event) => event.id),
      );
      const ofAnn = (await told("ann")).find((event) => event.type === "queue.stopped");
      expect(ofAnn).toMatchObject({ jobId: id, data: { error: { message: "the file of ann is broken" } } });
      expect(ofAnn?.data).not.toHaveProperty("inFlight");
      const ofBob = await told("bob");
      expect(types(ofBob)).toEqual(["queue.stopped", "queue.resumed", "queue.stopped"]);
      expect(ofBob[0]).toMatchObject({ jobId: null, data: { kind: "failure", queue: "line" } });
      expect(JSON.stringify(ofBob)).not.toContain(id);
      expect(JSON.stringify(ofBob)).not.toContain("file of ann");
      const after = ofBob[0]?.id ?? 0;
      expect(await bench.store.read.events(after, 1, { tenant: "bob", queue: "line" })).toEqual([ofBob[1]]);
      expect(await bench.store.read.events(0, 100, { tenant: "bob", queue: "other" })).toEqual([]);
    });

    it("follows the feed as that tenant", async (bench) => {
      const queue = bench.queue<string>();
      const [ann, bob] = await queue.addMany(["ann", "bob"], (tenant) => ({ tenant }));
      await queue.cancel(ann?.id as string, KIM);
      await queue.cancel(bob?.id as string, KIM);
      const feed = bench.andon.watch({ after: 0, tenant: "bob" });
      expect((await feed.next()).value).toMatchObject({ type: "job.cancelled", jobId: bob?.id });
      await feed.return();
    });

    it("shows the last events of one job, oldest first", async (bench) => {
      const { queue, ann } = await twoTenants(bench);
      for (let n = 0; n < 3; n++) {
        await queue.retry(ann.bad.id, KIM);
        await bench.reaches(ann.bad.id, "failed");
      }
      const events = await bench.store.read.jobEvents(ann.bad.id, 100);
      const of = (type: string) => events.filter((event) => event.type === type);
      expect([of("job.failed").length, of("job.retried").length]).toEqual([4, 3]);
      expect(new Set(events.map((event) => event.jobId))).toEqual(new Set([ann.bad.id]));
      expect(await bench.store.read.jobEvents(ann.bad.id, 2)).toEqual(events.slice(-2));
    });
  });
}
