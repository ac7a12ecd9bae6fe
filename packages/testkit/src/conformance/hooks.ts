import type { Job } from "@andon/contract";
import type { HookName, QueueHooks, Tx } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const NAMES: readonly HookName[] = ["failed", "skipped", "resolved", "cancelled", "retried"];

async function makeLog(bench: Bench): Promise<void> {
  await bench.andon.transaction((tx) => tx.query("create table hook_log (line text not null)"));
}

async function log(bench: Bench): Promise<string[]> {
  const rows = await bench.andon.transaction((tx) => tx.query<{ line: string }>("select line from hook_log"));
  return rows.map((row) => row.line).sort();
}

/** Hooks that each write one line in the transaction of the verb. */
function writing(told: Job[] = []): QueueHooks {
  const write = (name: HookName) => async (job: Job, tx: Tx) => {
    told.push(job);
    await tx.query("insert into hook_log (line) values ($1)", [`${name} ${job.payload} ${job.state}`]);
  };
  return Object.fromEntries(NAMES.map((name) => [name, write(name)]));
}

/** Writes of an app in the transaction of a failure or a decision (A3). */
export function describeHooks(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "hooks", (it) => {
    it("write in the transaction of every verb that calls them", async (bench) => {
      await makeLog(bench);
      const told: Job[] = [];
      const queue = bench.queue<string>(
        {
          attempts: 2,
          backoff: { delay: 1 },
          onFinalFailure: (f) => (f.message === "skip" ? "skip" : "hold-lane"),
        },
        { hooks: writing(told) },
      );
      const manual = bench.manualHandler();
      await queue.work(async (job, context) => {
        if (job.payload === "wait") return manual.handler(job, context);
        throw new Error(job.payload);
      });
      const [a, b, wait] = await queue.addMany(["fail", "skip", "wait"], (payload) => ({ key: payload }));
      const behind = await queue.add("behind", { key: "fail" });
      await bench.passUntilState(a?.id as string, "failed");
      await bench.passUntilState(b?.id as string, "skipped");
      expect(told.find((job) => job.state === "failed")).toMatchObject({
        id: a?.id,
        attempts: 2,
        error: { message: "fail" },
      });
      await queue.cancel(behind.id, KIM);
      const call = await manual.take();
      await queue.cancel(wait?.id as string, KIM);
      call.succeed();
      await bench.reaches(wait?.id as string, "cancelled");
      await queue.stop(KIM);
      await queue.retry(a?.id as string, KIM);
      expect(told.at(-1)).toMatchObject({ id: a?.id, state: "ready", attempts: 0, error: null });
      await queue.resume(KIM);
      await bench.passUntilState(a?.id as string, "failed");
      await queue.skip(a?.id as string, KIM);
      expect(told.at(-1)).toMatchObject({ state: "resolved", resolution: { actor: "kim" } });
      expect(await log(bench)).toEqual([
        "cancelled behind cancelled",
        "cancelled wait cancelled",
        "failed fail failed",
        "failed fail failed",
        "resolved fail resolved",
        "retried fail ready",
        "skipped skip skipped",
      ]);
    });

    it("roll a decision back when they throw", async (bench) => {
      await makeLog(bench);
      const broken = { is: false };
      const refuse = async (job: Job, tx: Tx) => {
        await tx.query("insert into hook_log (line) values ($1)", [String(job.payload)]);
        if (broken.is) throw new Error("the app says no");
      };
      const queue = bench.queue<string>(
        { attempts: 1, onFinalFailure: "hold-lane" },
        { hooks: { retried: refuse, resolved: refuse, cancelled: refuse } },
      );
      await queue.work(() => {
        throw new Error("no");
      });
      const { id } = await queue.add("bad", { key: "k" });
      await bench.reaches(id, "failed");
      const waiting = await queue.add("waiting", { key: "k" });
      broken.is = true;
      for (const decision of [
        () => queue.retry(id, KIM),
        () => queue.retryAll(KIM),
        () => queue.skip(id, KIM),
        () => queue.cancel(waiting.id, KIM),
        () => queue.cancelRest("k", KIM),
        () => queue.skipWithRest(id, KIM),
      ])
        await expect(decision()).rejects.toThrow("the app says no");
      expect((await bench.job(id)).state).toBe("failed");
      expect((await bench.job(waiting.id)).state).toBe("blocked");
      expect(await log(bench)).toEqual([]);
      expect((await bench.andon.audit()).total).toBe(0);
    });

    it("are called again after they throw, and the failure is stored when they succeed", async (bench) => {
      let tries = 0;
      const hooks = {
        failed() {
          if (++tries < 3) throw new Error("the app is not ready");
        },
      };
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" }, { hooks });
      await queue.work(() => {
        throw new Error("no");
      });
      const { id } = await queue.add("bad");
      expect(await bench.passUntilState(id, "failed")).toMatchObject({ error: { message: "no" } });
      expect(tries).toBe(3);
      expect(await bench.andon.attempts(id)).toHaveLength(1);
      expect((await queue.status()).state).toBe("open");
    });

    it("stop the queue when they throw every time, and the failed job has their error", async (bench) => {
      const hooks = {
        failed() {
          throw new Error("the app is broken");
        },
      };
      const queue = bench.queue<string>(
        { attempts: 1, onFinalFailure: "skip", classify: () => "job" },
        { hooks },
      );
      const skipping = bench.andon.queue<string>(
        "skipping",
        { attempts: 1, onFinalFailure: "hold-lane" },
        { hooks },
      );
      for (const line of [queue, skipping])
        await line.work(() => {
          throw new Error("no");
        });
      const skipped = await queue.add("bad");
      expect(await bench.reaches(skipped.id, "skipped")).toMatchObject({ error: { message: "no" } });
      const { id } = await skipping.add("bad");
      const failed = await bench.passUntilState(id, "failed");
      expect(failed.error).toMatchObject({ code: "HOOK_FAILED", message: "the app is broken" });
      expect(await skipping.status()).toMatchObject({
        state: "stopped",
        stopReason: "HOOK_FAILED",
        stopJobId: id,
      });
      expect(bench.errors.map(String)).toContain("Error: the app is broken");
    });

    it("stop the queue whatever they throw, with an error that can be stored", async (bench) => {
      const thrown: [unknown, unknown][] = [
        [new Error("bad \u0000 byte"), "bad \u2400 byte"],
        [new Error("half \ud800".padStart(4_001, "x")), "half \ufffd".padStart(4_001, "x").slice(0, 4_000)],
        [Object.create(null), "[Object: null prototype] {}"],
        [
          Object.defineProperty(new Error(), "message", {
            get() {
              throw new Error("do not look");
            },
          }),
          // Either is possible, depending on which code reads the error first: the store, which checks why its
          // transaction ended, or the failure.
          expect.stringMatching(/^(an error that cannot be read|do not look)$/),
        ],
      ];
      for (const [index, [error, message]] of thrown.entries()) {
        const hooks = {
          failed() {
            throw error;
          },
        };
        const line = bench.andon.queue<string>(`line-${index}`, { attempts: 1 }, { hooks });
        await line.work(() => {
          throw new Error("no");
        });
        const { id } = await line.add("bad");
        const failed = await bench.passUntilState(id, "failed");
        expect(failed.error).toMatchObject({ code: "HOOK_FAILED", message });
        expect(await line.status()).toMatchObject({ state: "stopped", stopReason: "HOOK_FAILED" });
      }
    });

    it("are called for every stop, resume and hold", async (bench) => {
      const heard: string[] = [];
      const hooks: QueueHooks = {
        stopped: (stop) => void heard.push(`stopped ${stop.reason} ${stop.kind}`),
        resumed: (stop) => void heard.push(`resumed ${stop.reason} ${stop.resumedBy}`),
        held: (lane, job) => void heard.push(`held ${lane.key} ${lane.held?.reason} ${job.payload}`),
      };
      const queue = bench.queue<string>(
        { attempts: 1, onFinalFailure: "stop-queue", stopReason: "WHY" },
        { hooks },
      );
      await queue.work(() => {
        throw Object.assign(new Error("no"), { code: "NOPE" });
      });
      const { id } = await queue.add("bad", { key: "k" });
      await bench.reaches(id, "failed");
      await queue.resume(KIM);
      await queue.stop(KIM);
      await queue.resume({ actor: "lee" });
      expect(heard).toEqual([
        "held k NOPE bad",
        "stopped WHY failure",
        "resumed WHY kim",
        "stopped looked into it hand",
        "resumed looked into it lee",
      ]);
    });
  });
}
