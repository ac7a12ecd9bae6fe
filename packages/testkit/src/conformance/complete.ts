import { commit } from "@andon/engine";
import { expect } from "vitest";
import { until } from "../until.ts";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

async function makePayments(bench: Bench): Promise<void> {
  await bench.andon.transaction((tx) => tx.query("create table payments (id text primary key)"));
}

async function payments(bench: Bench): Promise<unknown[]> {
  return bench.andon.transaction((tx) => tx.query("select id from payments order by id"));
}

/** From claim to done: what the handler gets, what is stored, and what commits with it. */
export function describeComplete(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "complete", (it) => {
    it("hands the job to a handler and keeps its result, its worker and its times", async (bench) => {
      const queue = bench.queue();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const createdAt = bench.clock.now();
      const { id } = await queue.add({ n: 1 }, { key: "k" });
      const call = await manual.take();
      expect(call.job).toMatchObject({
        id,
        state: "running",
        payload: { n: 1 },
        keys: ["k"],
        seq: 1,
        attempts: 0,
      });
      expect(call.context).toMatchObject({ attempt: 1, signal: { aborted: false } });
      const [worker] = await bench.andon.workers();
      expect(await bench.job(id)).toMatchObject({
        state: "running",
        worker: worker?.id,
        startedAt: createdAt,
      });
      await bench.pass(1_234);
      call.succeed({ copied: ["a", 2] });
      expect(await bench.reaches(id, "done")).toMatchObject({
        result: { copied: ["a", 2] },
        worker: worker?.id,
        attempts: 0,
        createdAt,
        startedAt: createdAt,
        finishedAt: createdAt + 1_234,
        error: null,
      });
      expect(await bench.andon.attempts(id)).toEqual([]);
    });

    it("writes completions of one round of the event loop in one request", async (bench) => {
      const queue = bench.queue();
      const manual = bench.manualHandler();
      const added = await queue.addMany(Array.from({ length: 8 }, (_, n) => ({ n })));
      await queue.work(manual.handler, { places: 8 });
      const calls = await Promise.all(added.map(() => manual.take()));
      // Each in a callback of its own, as from timers or network answers.
      for (const call of calls) setImmediate(() => call.succeed(null));
      for (const { id } of added) await bench.reaches(id, "done");
      expect(await bench.andon.store.query("select done from andon_claim_log where done > 0")).toEqual([
        { done: 8 },
      ]);
    });

    it("claims for the places of jobs that were written together in one request", async (bench) => {
      const queue = bench.queue({ concurrency: 8, shareCommits: true });
      const manual = bench.manualHandler();
      const added = await queue.addMany(Array.from({ length: 16 }, (_, n) => ({ n })));
      await queue.work(manual.handler, { places: 8 });
      for (const call of await manual.takeMany(8)) call.succeed(commit(() => {}));
      for (const { id } of added.slice(0, 8)) await bench.reaches(id, "done");
      await manual.takeMany(8);
      const entries = await bench.andon.store.query("select claimed from andon_claim_log where claimed > 0");
      // First all eight; then the place of the first, which is written at once; then those of the others, which waited
      // for that request.
      expect(entries.length).toBeLessThanOrEqual(3);
    });

    it("stores no result without one, and fails an attempt whose result is not JSON", async (bench) => {
      const queue = bench.queue<unknown>({ attempts: 1, onFinalFailure: "skip" });
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      const results = new Map<string, unknown>([
        ["nothing", undefined],
        ["null", null],
        ["zero", 0],
        ["bigint", 1n],
        ["function", () => {}],
        ["symbol", Symbol("sign")],
        ["circle", circle],
        ["empty toJSON", { toJSON: () => undefined }],
      ]);
      await queue.work((job) => results.get(job.payload as string));
      const added = await queue.addMany([...results.keys()]);
      const [nothing, nil, zero, ...bad] = added.map((job) => job.id) as [string, string, string];
      expect((await bench.reaches(nothing, "done")).result).toBe(null);
      expect((await bench.reaches(nil, "done")).result).toBe(null);
      expect((await bench.reaches(zero, "done")).result).toBe(0);
      for (const id of bad)
        expect((await bench.reaches(id, "skipped")).error).toMatchObject({
          code: "RESULT_NOT_JSON",
          message: expect.stringMatching(/^the handler's result is not JSON: /),
        });
    });

    it("fails an attempt whose result is larger than a payload may be, and stores none of it", async (bench) => {
      const queue = bench.queue<number>({ attempts: 1, onFinalFailure: "skip" });
      await queue.work((job) => "x".repeat(job.payload));
      // As JSON the text has two quotes more.
      const [fits, large] = await queue.addMany([999_998, 999_999]);
      expect((await bench.reaches(fits?.id as string, "done")).result).toHaveLength(999_998);
      expect(await bench.reaches(large?.id as string, "skipped")).toMatchObject({
        result: null,
        error: {
          code: "RESULT_TOO_LARGE",
          message: "the handler's result is too large: 1000001 bytes, at most 1000000",
        },
      });
    });

    it("commits the handler's own writes together with the completion", async (bench) => {
      await makePayments(bench);
      const queue = bench.queue<string>();
      await queue.work((job) =>
        commit(
          async (tx) => {
            await tx.query("insert into payments (id) values ($1)", [job.payload]);
          },
          { paid: job.payload },
        ),
      );
      const { id } = await queue.add("p-1", { key: "k" });
      expect(await bench.reaches(id, "done")).toMatchObject({ result: { paid: "p-1" } });
      expect(await payments(bench)).toEqual([{ id: "p-1" }]);
    });

    it("counts a failed attempt and rolls back the writes when they throw", async (bench) => {
      await makePayments(bench);
      const queue = bench.queue<string>({
        attempts: 2,
        backoff: { delay: "5s" },
        onFinalFailure: "hold-lane",
      });
      await queue.work((job) =>
        commit(async (tx) => {
          await tx.query("insert into payments (id) values ($1)", [job.payload]);
          throw Object.assign(new Error("the bank is closed"), { code: "BANK_CLOSED" });
        }),
      );
      const { id } = await queue.add("p-2");
      expect(await bench.reaches(id, "scheduled")).toMatchObject({
        attempts: 1,
        error: { code: "BANK_CLOSED" },
      });
      await bench.passUntilState(id, "failed");
      expect(await payments(bench)).toEqual([]);
      expect((await bench.andon.attempts(id)).map((attempt) => attempt.outcome)).toEqual([
        "failed",
        "failed",
      ]);
    });

    it("counts a failed attempt when the database refuses the handler's statement", async (bench) => {
      await makePayments(bench);
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "skip" });
      await queue.work((job) =>
        commit(async (tx) => {
          await tx.query("insert into payments (id) values ($1)", [job.payload]);
        }),
      );
      const [first, second] = await queue.addMany(["same", "same"], { key: "k" });
      await bench.reaches(first?.id as string, "done");
      await bench.reaches(second?.id as string, "skipped");
      expect(await payments(bench)).toEqual([{ id: "same" }]);
    });

    it("counts a failed attempt for an error of the writes that only looks like an unavailable store", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "skip" });
      await queue.work((job) =>
        commit(() => {
          throw Object.assign(new Error("connection timeout"), job.payload ? { code: job.payload } : {});
        }),
      );
      for (const code of ["ENOENT", "ECONNREFUSED", ""]) {
        const { id } = await queue.add(code);
        expect(await bench.reaches(id, "skipped")).toMatchObject({ error: { code: code || "Error" } });
      }
    });

    it("refuses, among several at once, only those whose writes are refused", async (bench) => {
      await makePayments(bench);
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "skip" });
      const wanted = ["a", "b", "same", "c", "same", "throws", "d", "e"];
      const waiting: (() => void)[] = [];
      await queue.work(async (job) => {
        await new Promise<void>((goOn) => {
          waiting.push(goOn);
          if (waiting.length === wanted.length) for (const one of waiting) one();
        });
        return commit(async (tx) => {
          await tx.query("insert into payments (id) values ($1)", [job.payload]);
          if (job.payload === "throws") throw new Error("the bank is closed");
        });
      });
      const added = await queue.addMany(wanted);
      await until(
        async () => (await queue.status()).counts.running === 0 && waiting.length === wanted.length,
      );
      const jobs = await Promise.all(added.map(({ id }) => bench.job(id)));
      const done = jobs.filter(({ state }) => state === "done").map(({ payload }) => payload);
      expect(done.sort()).toEqual(["a", "b", "c", "d", "e", "same"]);
      expect(jobs.filter(({ state }) => state === "skipped")).toHaveLength(2);
      expect(await payments(bench)).toEqual(["a", "b", "c", "d", "e", "same"].map((id) => ({ id })));
      expect((await queue.status()).counts).toMatchObject({ done: 6, running: 0, skipped: 2 });
    });

    it("adds the next job in the transaction that completes this one", async (bench) => {
      const first = bench.queue<string>();
      const second = bench.andon.queue<string>("second");
      await first.work((job) =>
        commit(async (tx) => {
          await second.add(`after ${job.payload}`, { tx });
        }),
      );
      const { id } = await first.add("one");
      await bench.reaches(id, "done");
      expect((await second.jobs("ready")).items.map((job) => job.payload)).toEqual(["after one"]);
    });

    it("never runs more jobs of a queue at once than its concurrency, over all workers", async (bench) => {
      const here = bench.queue<number>({ concurrency: 2 });
      const there = (await bench.another()).queue<number>("line", { concurrency: 2 });
      let running = 0;
      let most = 0;
      const handler = async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 3));
        running--;
      };
      await here.work(handler);
      await there.work(handler);
      await here.addMany(Array.from({ length: 20 }, (_, n) => n));
      await bench.passUntil("all are done", async () => (await here.status()).counts.done === 20);
      expect(most).toBe(2);
    });

    it("claims no job twice, however many workers claim", async (bench) => {
      const queue = bench.queue<number>();
      const workers = await Promise.all([bench.another(), bench.another()]);
      const seen: number[] = [];
      for (const andon of [bench.andon, ...workers]) {
        const line = andon === bench.andon ? queue : andon.queue<number>("line");
        await line.work((job) => void seen.push(job.payload), { places: 4 });
      }
      const numbers = Array.from({ length: 120 }, (_, n) => n);
      await Promise.all(numbers.map((n) => queue.add(n, n % 2 ? { key: `k${n % 7}` } : {})));
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 120);
      expect(seen.sort((a, b) => a - b)).toEqual(numbers);
    });
  });
}
