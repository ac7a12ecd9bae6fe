import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

/** A queue in which jobs fail whose payload begins with "bad", until `mended` is set. */
async function failing(bench: Bench, rules: Parameters<Bench["queue"]>[0] = {}) {
  const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane", ...rules });
  const mended = { is: false };
  const ran: string[] = [];
  await queue.work((job) => {
    if (job.payload.startsWith("bad") && !mended.is) throw new Error(`${job.payload} cannot be done`);
    ran.push(job.payload);
  });
  return { queue, mended, ran };
}

/** A failed job is queued again by a person (A9, A13, X11). */
export function describeOperatorRetry(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "retry by hand", (it) => {
    it("queues a failed job again with fresh attempts, at its old place in its lane", async (bench) => {
      const { queue, mended, ran } = await failing(bench, { attempts: 2, backoff: { delay: "1s" } });
      const added = await queue.addMany(["first", "bad", "third"], { key: "k" });
      const [, bad, third] = added.map((job) => job.id) as [string, string, string];
      await bench.passUntilState(bad, "failed");
      expect(await bench.job(bad)).toMatchObject({ attempts: 2, seq: 2 });
      expect((await bench.job(third)).state).toBe("blocked");
      mended.is = true;
      await queue.stop({ actor: "kim" });
      await bench.pass(5);
      await queue.retry(bad, KIM);
      expect(await bench.job(bad)).toMatchObject({
        state: "ready",
        attempts: 0,
        seq: 2,
        error: null,
        finishedAt: null,
      });
      await queue.resume({ actor: "kim" });
      await bench.reaches(third, "done");
      expect(ran).toEqual(["first", "bad", "third"]);
      expect((await bench.andon.attempts(bad)).map((attempt) => attempt.number)).toEqual([1, 2]);
    });

    it("keeps the place of a job without keys before later ones", async (bench) => {
      const { queue, mended, ran } = await failing(bench);
      const [bad] = await queue.addMany(["bad"]);
      await bench.reaches(bad?.id as string, "failed");
      await queue.stop(KIM);
      await queue.addMany(["later 1", "later 2"]);
      mended.is = true;
      await queue.retry(bad?.id as string, KIM);
      expect((await queue.jobs("ready")).items.map((job) => job.payload)).toEqual([
        "bad",
        "later 1",
        "later 2",
      ]);
      await queue.resume(KIM);
      await bench.passUntil("all are done", () => ran.length === 3);
    });

    it("draws a new ticket, and the old one finds no job", async (bench) => {
      const { queue } = await failing(bench);
      const other = await queue.add("good");
      const { id, ticket } = await queue.add("bad");
      await bench.reaches(id, "failed");
      expect(await bench.store.read.job({ ticket })).toMatchObject({ id });
      const retried = await queue.retry(id, KIM);
      expect(retried).toEqual({ jobId: id, oldTicket: ticket, ticket: (await bench.job(id)).ticket });
      expect(retried.ticket).toMatch(/^\d+$/);
      expect([ticket, other.ticket]).not.toContain(retried.ticket);
      expect(await bench.store.read.job({ ticket })).toBeUndefined();
      expect(await bench.store.read.job({ ticket: retried.ticket, queue: "line" })).toMatchObject({ id });
      expect(await bench.store.read.job({ ticket: retried.ticket, queue: "other" })).toBeUndefined();
      expect(await bench.store.read.job({ ticket: "no ticket" })).toBeUndefined();
      const next = await queue.add("next");
      expect(next.ticket).not.toBe(retried.ticket);
      await bench.reaches(id, "failed");
    });

    it("writes an audit row with who, why, before and after", async (bench) => {
      const { queue } = await failing(bench);
      const { id } = await queue.add("bad");
      await bench.reaches(id, "failed");
      await bench.pass(77);
      const at = bench.clock.now();
      await queue.retry(id, { actor: "kim", reason: "  disk was full  " });
      const { items } = await bench.andon.audit({ target: `job:${id}` });
      expect(items).toEqual([
        {
          id: expect.any(String),
          actor: "kim",
          at,
          action: "job.retry",
          target: `job:${id}`,
          reason: "disk was full",
          before: {
            state: "failed",
            attempts: 1,
            error: expect.objectContaining({ message: "bad cannot be done" }),
          },
          after: { state: "ready", attempts: 0 },
        },
      ]);
      await bench.reaches(id, "failed");
    });

    it("refuses a job that has not failed, and leaves no audit row", async (bench) => {
      const { queue } = await failing(bench);
      const done = await queue.add("good");
      await bench.reaches(done.id, "done");
      const waiting = await queue.add("later", { delay: "1h" });
      for (const { id } of [done, waiting]) {
        await expect(queue.retry(id, KIM)).rejects.toMatchObject({ code: "JOB_STATE", status: 409 });
      }
      await expect(queue.retry("nobody", KIM)).rejects.toMatchObject({ code: "JOB_NOT_FOUND", status: 404 });
      expect((await bench.andon.audit()).total).toBe(0);
    });

    it("retries all failed jobs in one decision, with a row each, and does not resume the queue", async (bench) => {
      const { queue, mended } = await failing(bench);
      const added = await queue.addMany(["bad 1", "bad 2", "bad 3", "good"], (payload) => ({ key: payload }));
      for (const { id } of added.slice(0, 3)) await bench.reaches(id, "failed");
      await bench.reaches(added[3]?.id as string, "done");
      await queue.stop(KIM);
      mended.is = true;
      expect(await queue.retryAll({ actor: "lee", reason: "network is back" })).toEqual({ retried: 3 });
      expect(await queue.status()).toMatchObject({ state: "stopped", counts: { ready: 3, failed: 0 } });
      const { items } = await bench.andon.audit();
      expect(items.filter((row) => row.action === "job.retry" && row.actor === "lee")).toHaveLength(3);
      await queue.resume(KIM);
      for (const { id } of added) await bench.reaches(id, "done");
      expect(await queue.retryAll(KIM)).toEqual({ retried: 0 });
    });

    it("joins the end of its lane again if the policy had removed it", async (bench) => {
      const { queue, mended, ran } = await failing(bench, { onFinalFailure: "cancel-rest" });
      const [bad, rest] = await queue.addMany(["bad", "rest"], { key: "k" });
      await bench.reaches(bad?.id as string, "failed");
      await bench.reaches(rest?.id as string, "cancelled");
      mended.is = true;
      await queue.retry(bad?.id as string, KIM);
      await bench.reaches(bad?.id as string, "done");
      expect(ran).toEqual(["bad"]);
    });

    it("releases only the lanes that the job itself holds", async (bench) => {
      const { queue } = await failing(bench, {
        onFinalFailure: (_, job) => (job.name === "gone" ? "cancel-rest" : "hold-lane"),
      });
      const gone = await queue.add("bad 1", { key: "k", name: "gone" });
      await bench.reaches(gone.id, "failed");
      const holder = await queue.add("bad 2", { key: "k" });
      await bench.reaches(holder.id, "failed");
      await queue.skip(gone.id, KIM);
      expect((await queue.lanes({ held: true })).items).toMatchObject([
        { key: "k", held: { jobId: holder.id } },
      ]);
    });
  });
}
