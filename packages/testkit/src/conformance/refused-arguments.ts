import { isAndonError } from "@andon/contract";
import type { Andon, Queue } from "@andon/engine";
import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** Values that are not a text, or not one that both databases store unchanged. */
const NO_TEXTS: readonly unknown[] = [undefined, null, 5, {}, "a\u0000b", "\ud800"];

const BY_TEXT: Record<string, (andon: Andon, queue: Queue, text: never) => Promise<unknown>> = {
  job: (andon, _, text) => andon.job(text),
  attempts: (andon, _, text) => andon.attempts(text),
  why: (andon, _, text) => andon.why(text),
  plan: (andon, _, text) => andon.plan(text),
  verifyStop: (andon, _, text) => andon.verifyStop(text),
  "schedules.get": (andon, _, text) => andon.schedules.get(text),
  "schedules.remove": (andon, _, text) => andon.schedules.remove(text),
  "schedules.activate": (andon, _, text) => andon.schedules.activate(text),
  retry: (_, queue, text) => queue.retry(text, KIM),
  skip: (_, queue, text) => queue.skip(text, KIM),
  skipWithRest: (_, queue, text) => queue.skipWithRest(text, KIM),
  cancel: (_, queue, text) => queue.cancel(text, KIM),
  runNow: (_, queue, text) => queue.runNow(text, KIM),
  apply: (_, queue, text) => queue.apply(text, KIM),
  hold: (_, queue, text) => queue.hold(text, KIM),
  release: (_, queue, text) => queue.release(text, KIM),
  cancelRest: (_, queue, text) => queue.cancelRest(text, KIM),
};

const BY_FILTER: Record<string, (andon: Andon, queue: Queue, text: never) => Promise<unknown>> = {
  "search by text": (andon, _, text) => andon.search({ text }),
  "search by key": (andon, _, text) => andon.search({ key: text }),
  "search by queue": (andon, _, queue) => andon.search({ queue }),
  "audit by actor": (andon, _, actor) => andon.audit({ actor }),
  "why for a tenant": (andon, _, tenant) => andon.why("x", { tenant }),
  "fingerprints of a tenant": (_, queue, tenant) => queue.fingerprints({ tenant }),
  "watch of a queue": (andon, _, queue) => andon.watch({ queue }).next(),
  "plan by ids": (_, queue, id) => queue.plan({ action: "retry", ids: [id] }, KIM),
  "a schedule's name": (andon, _, name) =>
    andon.schedules.put({ name, queue: "line", cron: "* * * * *", timeZone: "UTC", job: { name: "x" } }),
};

const NO_DECISIONS: readonly (readonly [option: string, decision: unknown])[] = [
  ["actor", undefined],
  ["actor", {}],
  ["actor", { actor: " " }],
  ["actor", { actor: 5 }],
  ["actor", { actor: "a\u0000" }],
  ["actor", { actor: "\ud800" }],
  ["actor", { actor: "k".repeat(1_001) }],
  ["reason", { actor: "kim", reason: "a\u0000b" }],
  ["reason", { actor: "kim", reason: "half: \ud83d" }],
  ["reason", { actor: "kim", reason: 5 }],
  ["reason", { actor: "kim", reason: "r".repeat(6_001) }],
  ["tenant", { actor: "kim", tenant: "\ud800" }],
  ["tenant", { actor: "kim", tenant: "" }],
  ["tenant", { actor: "kim", tenant: "t".repeat(201) }],
];

const INVALID = { code: "INVALID_OPTION", status: 400 };

/** Every method refuses invalid arguments by name, with the same errors on both databases. */
export function describeRefusedArguments(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "refused arguments", (it) => {
    it("refuse ids, keys and names that are not a text", async (bench) => {
      const queue = bench.queue();
      for (const [door, call] of Object.entries(BY_TEXT))
        for (const text of NO_TEXTS)
          await expect(
            call(bench.andon, queue, text as never),
            `${door} ${String(text)}`,
          ).rejects.toMatchObject(INVALID);
      expect((await bench.andon.audit()).total).toBe(0);
    });

    it("find nothing by an id that cannot be one, whatever its length", async (bench) => {
      const queue = bench.queue();
      for (const id of ["", "x", "__proto__", "x".repeat(5_000)]) {
        expect(await bench.andon.job(id)).toBeUndefined();
        await expect(queue.retry(id, KIM)).rejects.toMatchObject({ code: "JOB_NOT_FOUND" });
        await expect(queue.release(id, KIM)).rejects.toMatchObject({ code: "LANE_NOT_FOUND" });
      }
    });

    it("refuse filters that no row could match, instead of matching others", async (bench) => {
      const queue = bench.queue();
      await queue.add("a", { key: "a" });
      for (const [door, call] of Object.entries(BY_FILTER))
        for (const text of ["a\u0000", "\ud800"])
          await expect(call(bench.andon, queue, text as never), door).rejects.toMatchObject(INVALID);
    });

    it("refuse decisions that the audit log could not keep word for word", async (bench) => {
      const queue = bench.queue();
      for (const [option, decision] of NO_DECISIONS)
        await expect(queue.stop(decision as never), JSON.stringify(decision)).rejects.toMatchObject({
          ...INVALID,
          details: { where: { en: "the decision" }, option },
        });
      await queue.stop({ actor: "한".repeat(300), reason: "한".repeat(2_000) });
      await queue.resume({ actor: "kim", reason: "" });
      expect(await bench.andon.verifyAudit()).toMatchObject({ holds: true, rows: 2 });
    });

    it("refuse to hold a lane with an invalid key", async (bench) => {
      const queue = bench.queue();
      for (const key of ["", "x".repeat(1_001), "한".repeat(334)])
        await expect(queue.hold(key, KIM)).rejects.toMatchObject(INVALID);
      expect((await queue.lanes()).total).toBe(0);
    });

    it("refuse invalid states, lists and options", async (bench) => {
      const queue = bench.queue();
      for (const state of ["foo", undefined, null, 5])
        await expect(queue.jobs(state as never)).rejects.toMatchObject(INVALID);
      for (const payloads of [undefined, null, 5, "abc", {}])
        await expect(queue.addMany(payloads as never)).rejects.toMatchObject(INVALID);
      for (const options of [5, "x", true, []])
        await expect(queue.add("x", options as never)).rejects.toMatchObject(INVALID);
      expect((await queue.status()).counts.ready).toBe(0);
    });

    it("refuse a queue's name that is not a text, or the outbox's", async (bench) => {
      for (const name of [undefined, null, 5, {}, "outbox"])
        expect(() => bench.andon.queue(name as never), String(name)).toThrow(
          expect.objectContaining(INVALID),
        );
      expect(bench.andon.outbox.queue.name).toBe("outbox");
    });

    it("are shortened in the error if they are long", async (bench) => {
      const refusal = await bench
        .queue()
        .hold("x".repeat(100_000), KIM)
        .catch((error: unknown) => error);
      expect(isAndonError(refusal) && refusal.message.length).toBeLessThan(500);
    });
  });
}
