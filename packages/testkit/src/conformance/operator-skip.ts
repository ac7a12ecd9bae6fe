import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

async function failing(bench: Bench, rules: Parameters<Bench["queue"]>[0] = {}, hooks = {}) {
  const queue = bench.andon.queue<string>(
    "line",
    { attempts: 1, onFinalFailure: "hold-lane", ...rules },
    { hooks },
  );
  await queue.work((job) => {
    if (job.payload.startsWith("bad")) throw Object.assign(new Error("no"), { code: "NOPE" });
  });
  return queue;
}

/** A person settles a failed job, and the line continues without it (A10, A11). */
export function describeOperatorSkip(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "skip by hand", (it) => {
    it("resolves a failed job with the given reason and lets the lane continue", async (bench) => {
      const queue = await failing(bench);
      const [bad, next] = await queue.addMany(["bad", "next"], { key: "k" });
      const id = bad?.id as string;
      await bench.reaches(id, "failed");
      expect((await bench.job(next?.id as string)).state).toBe("blocked");
      await bench.pass(31);
      const at = bench.clock.now();
      await queue.skip(id, { actor: "kim", reason: " copied it by hand " });
      expect(await bench.job(id)).toMatchObject({
        state: "resolved",
        finishedAt: at,
        resolution: { actor: "kim", reason: "copied it by hand", at },
        error: { code: "NOPE" },
      });
      await bench.reaches(next?.id as string, "done");
      expect((await queue.lanes({ held: true })).total).toBe(0);
      expect((await bench.andon.audit({ target: `job:${id}` })).items).toMatchObject([
        {
          actor: "kim",
          at,
          action: "job.skip",
          reason: "copied it by hand",
          before: { state: "failed", error: { code: "NOPE" } },
          after: { state: "resolved" },
        },
      ]);
    });

    it("needs a reason that is not blank", async (bench) => {
      const queue = await failing(bench);
      const { id } = await queue.add("bad");
      await bench.reaches(id, "failed");
      for (const reason of [undefined, "", "  \t\n", "\u200b", " \u3164"]) {
        await expect(queue.skip(id, { actor: "kim", reason })).rejects.toMatchObject({
          code: "REASON_REQUIRED",
          status: 400,
        });
        await expect(queue.skipAllAndResume({ actor: "kim", reason })).rejects.toMatchObject({
          code: "REASON_REQUIRED",
        });
      }
      expect((await bench.job(id)).state).toBe("failed");
      expect((await bench.andon.audit()).total).toBe(0);
    });

    it("refuses a job that has not failed", async (bench) => {
      const queue = await failing(bench);
      const { id } = await queue.add("good");
      await bench.reaches(id, "done");
      await expect(queue.skip(id, KIM)).rejects.toMatchObject({ code: "JOB_STATE", status: 409 });
      await expect(queue.skip("nobody", KIM)).rejects.toMatchObject({ code: "JOB_NOT_FOUND", status: 404 });
    });

    it("settles all failed jobs and resumes the queue in one step", async (bench) => {
      const queue = await failing(bench, { onFinalFailure: "stop-queue" });
      const [first, next] = await queue.addMany(["bad 1", "next 1"], { key: "a" });
      await bench.reaches(first?.id as string, "failed");
      const { id: waiting } = await queue.add("waits");
      expect((await queue.status()).state).toBe("stopped");
      const at = bench.clock.now();
      expect(await queue.skipAllAndResume(KIM)).toEqual({ skipped: 1, changed: true, resumedAt: at });
      await bench.reaches(waiting, "done");
      await bench.reaches(next?.id as string, "done");
      expect(await queue.status()).toMatchObject({
        state: "open",
        counts: { resolved: 1, failed: 0, done: 2 },
      });
      const actions = (await bench.andon.audit()).items.map((row) => `${row.actor} ${row.action}`);
      expect(actions).toEqual(
        expect.arrayContaining(["kim job.skip", "kim queue.resume", "system queue.stop"]),
      );
    });

    it("settles none and does not resume if one of them cannot be settled", async (bench) => {
      const queue = await failing(
        bench,
        { onFinalFailure: (_, job) => (job.name === "stopper" ? "stop-queue" : "hold-lane") },
        {
          resolved: (job: { payload: string }) => {
            if (job.payload === "bad 2") throw new Error("not this one");
          },
        },
      );
      const added = [
        await queue.add("bad 1", { key: "a" }),
        await queue.add("bad 2", { key: "b" }),
        await queue.add("bad 3", { key: "c", name: "stopper" }),
      ];
      for (const { id } of added) await bench.reaches(id, "failed");
      await expect(queue.skipAllAndResume(KIM)).rejects.toThrow("not this one");
      const { state, counts } = await queue.status();
      expect({ state, resolved: counts.resolved }).toEqual({ state: "stopped", resolved: 0 });
      expect((await bench.job(added[0]?.id as string)).resolution).toBe(null);
      expect((await bench.andon.audit()).items.filter((row) => row.actor === "kim")).toEqual([]);
    });

    it("refuses decisions without an actor, always by rejecting, never by throwing", async (bench) => {
      const queue = bench.queue();
      const { id } = await queue.add("x", { key: "k" });
      for (const nobody of [undefined, {}, { actor: "" }, { actor: "  " }, { actor: 5 }] as never[]) {
        const decisions = [
          queue.stop(nobody),
          queue.resume(nobody),
          queue.retry(id, nobody),
          queue.retryAll(nobody),
          queue.skip(id, nobody),
          queue.skipAllAndResume(nobody),
          queue.skipWithRest(id, nobody),
          queue.cancel(id, nobody),
          queue.runNow(id, nobody),
          queue.hold("k", nobody),
          queue.release("k", nobody),
          queue.cancelRest("k", nobody),
        ];
        for (const result of await Promise.allSettled(decisions)) {
          expect(result).toMatchObject({ status: "rejected", reason: { code: "INVALID_OPTION" } });
        }
      }
      expect((await bench.andon.audit()).total).toBe(0);
    });
  });
}
