import type { QueueRulesInput } from "@andon/contract";
import { commit, type Queue } from "@andon/engine";
import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

const FILM: QueueRulesInput = {
  stages: [{ name: "script" }, { name: "image", concurrency: 2 }, { name: "video", concurrency: 1 }],
};
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** A job goes through its stages on one row. */
export function describeStages(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "stages", (it) => {
    it("take one row through a handler per stage, which gets what the earlier ones returned", async (bench) => {
      const queue = bench.queue<string>(FILM);
      const seen: unknown[] = [];
      await queue.work({
        script: (job) => `script of ${job.payload}`,
        image: (job) => ({ from: job.outputs.script }),
        video: (job) => {
          seen.push(job.outputs);
          return "film";
        },
      });
      const { id } = await queue.add("a");
      await bench.reaches(id, "done");
      expect(seen).toEqual([{ script: "script of a", image: { from: "script of a" } }]);
      expect(await bench.job(id)).toMatchObject({ stage: "video", result: "film", attempts: 0, error: null });
      expect((await queue.status()).counts).toMatchObject({ done: 1, ready: 0, running: 0 });
    });

    it("record the attempts, the times and the working time of each stage", async (bench) => {
      const queue = bench.queue<string>({
        stages: [{ name: "one", attempts: 2, backoff: { type: "fixed", delay: "5s" } }, { name: "two" }],
      });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("a");
      const first = await manual.take();
      const begun = bench.clock.now();
      await bench.pass(100);
      first.fail(new Error("once"));
      await bench.reaches(id, "scheduled");
      expect(await bench.andon.stages(id)).toEqual([
        { name: "one", status: "waiting", attempts: 1, elapsedMs: 100, startedAt: begun, finishedAt: null },
      ]);
      await bench.passUntil("it runs again", () => manual.started.length === 2);
      const second = await manual.take();
      const again = bench.clock.now();
      await bench.pass(70);
      expect(await bench.andon.stages(id)).toMatchObject([{ name: "one", status: "running", attempts: 2 }]);
      second.succeed("first output");
      const third = await manual.take();
      expect(third.context.attempt).toBe(1);
      expect(third.job).toMatchObject({ stage: "two", attempts: 0, outputs: { one: "first output" } });
      await bench.pass(30);
      third.succeed();
      await bench.reaches(id, "done");
      const [one, two] = await bench.andon.stages(id);
      expect(one).toMatchObject({ name: "one", status: "completed", attempts: 2, startedAt: begun });
      expect(one?.finishedAt).toBeGreaterThanOrEqual(again + 70);
      expect(one?.elapsedMs).toBeGreaterThanOrEqual(170);
      expect(one?.elapsedMs).toBeLessThan(1_000);
      expect(two).toMatchObject({ name: "two", status: "completed", attempts: 1 });
      expect(two?.elapsedMs).toBeGreaterThanOrEqual(30);
      expect(await bench.andon.attempts(id)).toMatchObject([{ stage: "one", outcome: "failed" }]);
    });

    it("never run more jobs than their limits, over two processes, while all stages run at the same time", async (bench) => {
      const queues = [
        bench.queue<number>(FILM),
        (await bench.another()).queue<number>("line", FILM),
      ] as const;
      await queues[0].addMany(numbers(30), (n) => (n % 3 === 0 ? { key: `lane-${n % 5}` } : {}));
      const running = { script: 0, image: 0, video: 0 };
      const most = { script: 0, image: 0, video: 0 };
      let together = 0;
      for (const queue of queues) {
        await queue.work(
          async (job) => {
            const stage = job.stage as keyof typeof running;
            most[stage] = Math.max(most[stage], ++running[stage]);
            together = Math.max(together, Object.values(running).filter((count) => count > 0).length);
            await new Promise((resolve) => setImmediate(resolve));
            running[stage]--;
          },
          { places: 10 },
        );
      }
      await bench.passUntil("all are done", async () => (await queues[0].status()).counts.done === 30);
      expect(most.video).toBe(1);
      expect(most.image).toBe(2);
      expect(together).toBe(3);
    });

    it("let the jobs of other stages pass while one is full, and are claimed by priority, then by age", async (bench) => {
      const queue = bench.queue<string>({ stages: [{ name: "one" }, { name: "two", concurrency: 1 }] });
      const manual = bench.manualHandler();
      const starts: string[] = [];
      await queue.work(
        { one: (job) => void starts.push(`one ${job.payload}`), two: manual.handler },
        { places: 3 },
      );
      await queue.add("first");
      const first = await manual.take();
      await queue.addMany(["old", "urgent", "young"], (name) => ({ priority: name === "urgent" ? 5 : 0 }));
      await bench.passUntil("all are through stage one", () => starts.length === 4);
      await bench.pass(2_000);
      expect(manual.started).toEqual(["first"]);
      first.succeed();
      for (const name of ["urgent", "old", "young"]) {
        const call = await manual.take();
        expect(call.job.payload).toBe(name);
        call.succeed();
      }
      await eventually("all are done", async () => (await queue.status()).counts.done === 4);
    });

    it("retry a job in its stage, with fresh attempts of that stage", async (bench) => {
      const queue = bench.queue<string>({
        attempts: 5,
        onFinalFailure: "hold-lane",
        stages: [{ name: "one" }, { name: "two", attempts: 1 }],
      });
      const calls: string[] = [];
      let isBroken = true;
      await queue.work((job, { attempt }) => {
        calls.push(`${job.stage} ${attempt}`);
        if (job.stage === "two" && isBroken) throw new Error("no");
        return job.stage;
      });
      const { id } = await queue.add("x", { key: "k" });
      expect(await bench.reaches(id, "failed")).toMatchObject({ stage: "two", attempts: 1 });
      expect(await bench.andon.stages(id)).toMatchObject([
        { name: "one", status: "completed" },
        { name: "two", status: "failed", attempts: 1 },
      ]);
      isBroken = false;
      await queue.retry(id, KIM);
      await bench.reaches(id, "done");
      expect(calls).toEqual(["one 1", "two 1", "two 1"]);
    });

    it("end an attempt after the timeout of its stage", async (bench) => {
      const queue = bench.queue<string>({
        timeout: "1h",
        onFinalFailure: "hold-lane",
        stages: [{ name: "slow" }, { name: "quick", timeout: "2s", attempts: 1 }],
      });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("x");
      const slow = await manual.take();
      await bench.pass(10_000);
      expect(slow.context.signal.aborted).toBe(false);
      slow.succeed();
      const quick = await manual.take();
      await bench.pass(2_100);
      expect(quick.context.signal.reason).toMatchObject({ cause: "timeout" });
      quick.fail(new Error("aborted"));
      expect(await bench.reaches(id, "failed")).toMatchObject({ stage: "quick", error: { code: "TIMEOUT" } });
    });

    it("commit a handler's own writes with the step to the next stage, or neither", async (bench) => {
      await bench.store.transaction("test", (tx) => tx.query("create table films (id text primary key)"));
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane", ...FILM });
      await queue.work((job) => {
        if (job.stage === "script")
          return commit(
            async (tx) => void (await tx.query("insert into films values ($1)", [job.payload])),
            "s",
          );
        return job.outputs;
      });
      const { id } = await queue.add("one");
      await bench.reaches(id, "done");
      expect(await bench.store.query("select id from films")).toEqual([{ id: "one" }]);
      const again = await queue.add("one");
      expect(await bench.reaches(again.id, "failed")).toMatchObject({ stage: "script", outputs: {} });
      await bench.store.transaction("test", (tx) => tx.query("drop table films"));
    });

    it("follow the list that a job was added with, in its order", async (bench) => {
      const queue = bench.queue<string>(FILM);
      const stages: (string | null)[] = [];
      await queue.work((job) => void stages.push(job.stage));
      const { id } = await queue.add("x", { stages: ["video", "script"] });
      expect(await bench.reaches(id, "done")).toMatchObject({ stages: ["video", "script"] });
      expect(stages).toEqual(["video", "script"]);
      expect((await bench.andon.stages(id)).map(({ name }) => name)).toEqual(["video", "script"]);
      for (const wrong of [["vidio"], [], ["video", "video"]])
        await expect(queue.add("x", { stages: wrong })).rejects.toMatchObject({ code: "INVALID_OPTION" });
    });

    it("of an older deployment continue, with a warning", async (bench) => {
      const queue = bench.queue<string>({ stages: [{ name: "old" }, { name: "last" }] });
      const { id } = await queue.add("x");
      const newer = (await bench.another()).queue<string>("line", {
        stages: [{ name: "new", concurrency: 1 }, { name: "last" }],
      });
      const stages: (string | null)[] = [];
      await newer.work((job) => void stages.push(job.stage));
      await bench.reaches(id, "done");
      expect(stages).toEqual(["old", "last"]);
      expect(bench.errors).toMatchObject([{ code: "STAGE_UNKNOWN", details: { stage: "old" } }]);
    });

    it("without a handler fail their job, and are not retried", async (bench) => {
      const queue = bench.queue<string>({ onFinalFailure: "hold-lane", stages: [{ name: "old" }] });
      const { id } = await queue.add("x");
      const newer = (await bench.another()).queue<string>("line", {
        onFinalFailure: "hold-lane",
        stages: [{ name: "new" }],
      });
      await newer.work({ new: () => {} });
      expect(await bench.reaches(id, "failed")).toMatchObject({
        attempts: 1,
        error: { code: "STAGE_UNKNOWN" },
      });
    });

    it("are given to jobs that were added before the queue had any", async (bench) => {
      const { id } = await bench.queue<string>().add("x");
      const staged = (await bench.another()).queue<string>("line", FILM);
      await staged.work((job) => job.stage);
      expect(await bench.reaches(id, "done")).toMatchObject({
        stages: ["script", "image", "video"],
        result: "video",
      });
    });

    it("share fairly among tenants, each stage within its limit", async (bench) => {
      const queue = bench.queue<string>({
        tenantConcurrency: 2,
        stages: [
          { name: "one", concurrency: 3 },
          { name: "two", concurrency: 2 },
        ],
      });
      await queue.addMany(Array(40).fill("flood"), { tenant: "flood" });
      await queue.addMany(Array(3).fill("small"), { tenant: "small" });
      const running = new Map<string, number>();
      const most = new Map<string, number>();
      const ended: string[] = [];
      const enter = (name: string, by: number) => {
        running.set(name, (running.get(name) ?? 0) + by);
        most.set(name, Math.max(most.get(name) ?? 0, running.get(name) ?? 0));
      };
      await queue.work(
        async (job) => {
          const names = [job.stage as string, job.tenant];
          for (const name of names) enter(name, 1);
          await new Promise((resolve) => setImmediate(resolve));
          for (const name of names) enter(name, -1);
          if (job.stage === "two") ended.push(job.payload);
        },
        { places: 8 },
      );
      await bench.passUntil("all are done", () => ended.length === 43);
      expect(ended.lastIndexOf("small")).toBeLessThan(20);
      expect(most.get("one")).toBeLessThanOrEqual(3);
      expect(most.get("two")).toBe(2);
      expect(most.get("flood")).toBe(2);
    });

    it("are explained by `why`, with their limit", async (bench) => {
      const queue = bench.queue<string>({ stages: [{ name: "video", concurrency: 1 }] });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const added = await queue.addMany(["a", "b", "c", "d"]);
      await manual.take();
      await bench.settled();
      expect(await bench.andon.why(added[3]?.id as string)).toMatchObject({
        rule: "stage.concurrency",
        facts: { stage: "video", limit: 1, running: 1, ahead: 2 },
        en: "3 others are in stage video, which takes 1.",
      });
    });

    it("are refused if they are invalid", async (bench) => {
      const refused = (rules: QueueRulesInput) => expect(() => bench.andon.queue("refused", rules)).toThrow();
      refused({ mode: "serial", stages: [{ name: "a" }] });
      refused({ stages: [{ name: "a" }, { name: "a" }] });
      refused({ stages: [] });
      const queue: Queue<unknown> = bench.queue({ stages: [{ name: "a", rollBack: true }, { name: "b" }] });
      const run = () => {};
      for (const handlers of [run, { a: run, b: run }, { a: { run, rollBack: run } }, { a: run, c: run }])
        await expect(queue.work(handlers as never)).rejects.toMatchObject({ status: 400 });
      await expect(bench.andon.queue("plain").add("x", { stages: ["a"] })).rejects.toMatchObject({
        code: "INVALID_OPTION",
      });
    });

    it("are deleted with their job when it is deleted or purged", async (bench) => {
      const queue = bench.queue<string>({ ...FILM, keep: { done: "1s" } });
      await queue.work(() => {});
      const [deleted, purged] = await queue.addMany(["a", "b"]);
      await bench.reaches(deleted?.id as string, "done");
      await bench.reaches(purged?.id as string, "done");
      await queue.deleteJob(deleted?.id as string, KIM);
      await bench.pass(2_000);
      await queue.purge();
      expect(await bench.store.query("select pos from andon_stages")).toEqual([]);
    });
  });
}
