import { inspect } from "node:util";
import { commit, Snooze, Unretryable } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

/** Fails a job until its final failure, and returns how long it waited each time. */
async function waitsOf(bench: Bench, rules: Parameters<Bench["queue"]>[0]): Promise<number[]> {
  const queue = bench.queue({ onFinalFailure: "hold-lane", ...rules });
  await queue.work(() => {
    throw new Error("again");
  });
  const { id } = await queue.add("x");
  const waits: number[] = [];
  for (;;) {
    await bench.settled();
    const job = await bench.job(id);
    if (job.state === "failed") return waits;
    expect(job.state).toBe("scheduled");
    const due = job.runAt as number;
    waits.push(due - ((await bench.andon.attempts(id)).at(-1)?.finishedAt as number));
    await bench.pass(due - bench.clock.now() - 1);
    expect(await bench.job(id), "one millisecond early").toMatchObject({ state: "scheduled", runAt: due });
    await bench.pass(1);
  }
}

const refuse = () => {
  throw new Error("do not look");
};
/** Throws on every access. */
const untouchable = (target: object) => new Proxy(target, new Proxy({}, { get: refuse }));

/** A failed attempt: back-off, the count of attempts, and their history. */
export function describeRetryBackoff(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "retry with back-off", (it) => {
    it("doubles the wait from attempt to attempt, up to the cap", async (bench) => {
      const waits = await waitsOf(bench, {
        attempts: 5,
        backoff: { type: "exponential", delay: "1s", max: "5s" },
      });
      expect(waits).toEqual([1_000, 2_000, 4_000, 5_000]);
    });

    it("waits equally long with a fixed back-off", async (bench) => {
      expect(await waitsOf(bench, { attempts: 4, backoff: { type: "fixed", delay: 1_001 } })).toEqual([
        1_001, 1_001, 1_001,
      ]);
    });

    it("randomizes the jitter share of the wait, and never waits longer than without jitter", async (bench) => {
      const waits = await waitsOf(bench, {
        attempts: 9,
        backoff: { type: "fixed", delay: 1_000, jitter: 0.4 },
      });
      expect(waits).toHaveLength(8);
      for (const wait of waits) {
        expect(wait).toBeGreaterThanOrEqual(600);
        expect(wait).toBeLessThanOrEqual(1_000);
      }
      expect(new Set(waits).size).toBeGreaterThan(1);
    });

    it("keeps every attempt with its times, worker, code, message and stack", async (bench) => {
      const queue = bench.queue({ attempts: 2, backoff: { delay: "1s" }, onFinalFailure: "hold-lane" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("x");
      const [worker] = await bench.andon.workers();
      const first = await manual.take();
      const startedFirst = bench.clock.now();
      await bench.pass(111);
      first.fail(Object.assign(new Error("disk 7 is full"), { code: "ENOSPC" }));
      await bench.reaches(id, "scheduled");
      expect(await bench.job(id)).toMatchObject({
        attempts: 1,
        error: { code: "ENOSPC", message: "disk 7 is full" },
      });
      await bench.passUntil("it runs again", () => manual.started.length === 2);
      const second = await manual.take();
      expect(second.context.attempt).toBe(2);
      expect(second.job.attempts).toBe(1);
      const startedSecond = (await bench.job(id)).startedAt as number;
      await bench.pass(222);
      second.fail(new TypeError("x is not a function"));
      const failed = await bench.reaches(id, "failed");
      expect(failed).toMatchObject({
        attempts: 2,
        finishedAt: bench.clock.now(),
        error: { code: "TypeError" },
      });
      expect(await bench.andon.attempts(id)).toEqual([
        {
          number: 1,
          stage: null,
          outcome: "failed",
          worker: worker?.id,
          startedAt: startedFirst,
          finishedAt: startedFirst + 111,
          code: "ENOSPC",
          message: "disk 7 is full",
          stack: expect.stringContaining("disk 7 is full"),
        },
        {
          number: 2,
          stage: null,
          outcome: "failed",
          worker: worker?.id,
          startedAt: startedSecond,
          finishedAt: bench.clock.now(),
          code: "TypeError",
          message: "x is not a function",
          stack: expect.stringContaining("retry-backoff"),
        },
      ]);
    });

    it("does not retry an error that is not retryable", async (bench) => {
      const queue = bench.queue({ attempts: 5, onFinalFailure: "hold-lane" });
      await queue.work(() => {
        throw new Unretryable("the file does not exist");
      });
      const { id } = await queue.add("x");
      expect(await bench.reaches(id, "failed")).toMatchObject({
        attempts: 1,
        error: { code: "Unretryable" },
      });
    });

    it("charges nothing for a snooze and calls the handler again at its time", async (bench) => {
      const queue = bench.queue({ attempts: 1 });
      const attempts: number[] = [];
      await queue.work((_, context) => {
        attempts.push(context.attempt);
        if (attempts.length < 4) throw new Snooze(3_000.4);
      });
      const { id } = await queue.add("x", { key: "k" });
      const asleep = await bench.reaches(id, "scheduled");
      expect(asleep).toMatchObject({ attempts: 0, error: null, runAt: bench.clock.now() + 3_000 });
      await bench.pass(2_900);
      expect(attempts).toEqual([1]);
      await bench.passUntilState(id, "done");
      expect(attempts).toEqual([1, 1, 1, 1]);
    });

    it("keeps only the last snooze in the history, and every other attempt", async (bench) => {
      const queue = bench.queue<string>({ attempts: 3, backoff: { delay: "1s" } });
      const started: string[] = [];
      await queue.work(({ payload }) => {
        started.push(payload);
        const calls = started.filter((name) => name === payload).length;
        if (payload === "polls" && calls === 3) throw new Error("once");
        if (calls < 6) throw new Snooze(1_000);
      });
      const [polls, rests] = await queue.addMany(["polls", "rests"]);
      await bench.passUntilState(polls?.id as string, "done");
      await bench.passUntilState(rests?.id as string, "done");
      const outcomes = async (id = "") =>
        (await bench.andon.attempts(id)).map(({ outcome, number }) => `${outcome} ${number}`);
      expect(await outcomes(polls?.id)).toEqual(["failed 1", "snoozed 2"]);
      expect(await outcomes(rests?.id)).toEqual(["snoozed 1"]);
    });

    it("counts a snooze without a time as a failed attempt", async (bench) => {
      const queue = bench.queue<number>({ attempts: 1, onFinalFailure: "skip" });
      const makes = [
        () => new Snooze(Number.NaN),
        () => new Snooze(Number.POSITIVE_INFINITY),
        () => new Snooze(1e20),
        () => new Snooze("99999999999999999999d"),
        () => Object.assign(new Snooze(1), { ms: Number.NaN }),
        () => Object.assign(new Snooze(1), { ms: 1e20 }),
      ];
      await queue.work(({ payload }) => {
        throw makes[payload]?.();
      });
      for (const { id } of await queue.addMany([...makes.keys()]))
        expect(await bench.reaches(id, "skipped")).toMatchObject({ attempts: 1 });
      expect(bench.errors).toEqual([]);
    });

    it("sleeps at most until the latest possible time", async (bench) => {
      const queue = bench.queue();
      await queue.work(() => {
        throw new Snooze(8.64e15);
      });
      const { id } = await queue.add("x");
      expect(await bench.reaches(id, "scheduled")).toMatchObject({ attempts: 0, runAt: 8.64e15 });
    });

    it("records anything a handler throws, and continues with the next job", async (bench) => {
      const queue = bench.queue<number>({ attempts: 1, onFinalFailure: "skip" });
      const thrown: unknown[] = [
        "a string",
        undefined,
        null,
        { a: 1 },
        Object.create(null),
        Symbol("sign"),
        Object.assign(new Error("x"), { message: undefined }),
        Object.assign(new Error("x"), { message: { not: "text" }, stack: 5 }),
        Object.assign(new Error("nul \u0000 and half \ud800"), { code: "C\u0000\ud800", name: "N\u0000" }),
        Object.assign(new Error("named"), { name: "N\u0000\ud800" }),
        Object.assign(new Error("no name"), { name: Symbol("name") }),
        new Error("m".repeat(100_000)),
      ];
      await queue.work((job) => {
        throw thrown[job.payload];
      });
      const added = await queue.addMany(thrown.map((_, index) => index));
      for (const { id } of added) {
        const { error } = await bench.reaches(id, "skipped");
        expect(error?.code).toMatch(/^[^\0]{1,100}$/);
        expect(error?.message.length).toBeLessThanOrEqual(4_000);
      }
      expect(bench.errors).toEqual([]);
    });

    it("fails the attempt of a handler whose error cannot be read, and frees its place", async (bench) => {
      const queue = bench.queue<{ thrown: number; how: number }>({ attempts: 1, onFinalFailure: "skip" });
      const unreadable = "an error that cannot be read";
      const thrown: [unknown, unknown][] = [
        [{ [inspect.custom]: refuse }, unreadable],
        [Object.defineProperty(new Error("its code throws"), "code", { get: refuse }), "its code throws"],
        [Object.defineProperty(new Error("its name throws"), "name", { get: refuse }), "its name throws"],
        [Object.defineProperty(new Error("x"), "message", { get: refuse }), unreadable],
        [untouchable({}), "{}"],
        [untouchable(new Error("x")), expect.stringMatching(/^Error: x/)],
      ];
      const hows: ((error: unknown) => unknown)[] = [
        (error) => {
          throw error;
        },
        (error) => Promise.reject(error),
        (error) => ({
          toJSON() {
            throw error;
          },
        }),
        (error) => commit(() => Promise.reject(error)),
      ];
      await queue.work(({ payload }) => hows[payload.how]?.(thrown[payload.thrown]?.[0]), { places: 2 });
      for (const how of hows.keys()) {
        const added = await queue.addMany(thrown.map((_, index) => ({ thrown: index, how })));
        for (const [index, { id }] of added.entries()) {
          const { error } = await bench.reaches(id, "skipped");
          if (how < 2) expect(error).toMatchObject({ code: "Error", message: thrown[index]?.[1] });
        }
      }
      expect(bench.errors).toEqual([]);
    });

    it("gives errors that differ only in numbers and names one fingerprint", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "skip" });
      await queue.work((job) => {
        throw new Error(job.payload);
      });
      const added = await queue.addMany([
        'cannot open "a.txt" at /mnt/nas/1 after 30 ms',
        'cannot open "b.txt" at /mnt/nas/22 after 999 ms',
        "cannot close it",
      ]);
      const prints: (string | undefined)[] = [];
      for (const { id } of added) prints.push((await bench.reaches(id, "skipped")).error?.fingerprint);
      expect(prints[0]).toBe(prints[1]);
      expect(prints[2]).not.toBe(prints[0]);
    });
  });
}
