import { createDatabase, spawnNode, until } from "@andon/testkit";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  decision,
  ended,
  errand,
  execArgv,
  isAlive,
  openStore,
  progressOf,
  TYPESCRIPT,
  working,
} from "./bench.ts";

/** The tests of a handler in a thread, or in a process of its own. */
export function describeIsolated(isolate: "thread" | "process"): void {
  describe(`a handler in a ${isolate}`, () => {
    test("runs elsewhere, on a runner that is kept for the next job", async () => {
      const { andon, queue } = await working({ isolate });
      const { result } = await errand(andon, queue, { task: "where" });
      const where = result as { isMainThread: boolean; pid: number };
      expect(where.isMainThread).toBe(isolate === "process");
      expect(where.pid === process.pid).toBe(isolate === "thread");
      const first = await errand(andon, queue, { task: "self" });
      expect((await errand(andon, queue, { task: "self" })).result).toBe(first.result);
      const given = { text: "한글 \u0000 😀", list: [1, null] };
      expect((await errand(andon, queue, { task: "echo", with: given })).result).toEqual({
        given,
        attempt: 1,
        cursor: null,
        when: "1970-01-01T00:00:00.000Z",
      });
      expect((await errand(andon, queue, { task: "nothing" })).result).toBeNull();
    });

    test("that spins delays neither the beat nor other jobs, and is ended by a cancel", async () => {
      const { andon, queue } = await working({ isolate }, { lease: 600 });
      const other = andon.queue<number>("other");
      await other.work((job) => job.payload + 1);
      const { id } = await queue.add({ task: "spin" });
      const { spinning } = await progressOf<{ spinning: string }>(andon, id);

      const beat = async () => (await andon.workers())[0]?.beat ?? 0;
      const before = await beat();
      await until(async () => (await beat()) > before + 3);
      const added = await other.add(1);
      expect((await ended(andon, added.id, "done")).result).toBe(2);
      expect((await andon.job(id))?.state).toBe("running");

      await queue.cancel(id, decision);
      await ended(andon, id, "cancelled");
      expect((await errand(andon, queue, { task: "self" })).result).not.toBe(spinning);
    });

    test("that spins fails its attempt with TIMEOUT, and the next attempt gets a new runner", {
      timeout: 90_000,
    }, async () => {
      // The start of a runner counts as well, so on a slow machine a later attempt may time out too.
      const { andon, queue } = await working({ isolate }, { timeout: "3s", attempts: 20 });
      const { id } = await queue.add({ task: "spin on the first attempt" });
      expect((await ended(andon, id, "done", 80_000)).result).toMatch(/^\d+\//);
      const [first] = await andon.attempts(id);
      expect(first).toMatchObject({ outcome: "failed", code: "TIMEOUT" });
    });

    test("that obeys the signal settles by itself and keeps its runner", async () => {
      const { andon, queue } = await working({ isolate }, { settleGrace: "1h" });
      const { id } = await queue.add({ task: "wait for the signal" });
      const { waiting } = await progressOf<{ waiting: string }>(andon, id);
      await queue.cancel(id, decision);
      await ended(andon, id, "cancelled");
      expect((await errand(andon, queue, { task: "self" })).result).toBe(waiting);
    });

    test("that is still busy when the worker closes is ended, and its job handed back uncharged", async () => {
      const { andon, queue, worker } = await working({ isolate, grace: 0 });
      const { id } = await queue.add({ task: "hide from the signal" });
      const { hiding } = await progressOf<{ hiding: string }>(andon, id);
      await worker.close();
      expect(await andon.job(id)).toMatchObject({ state: "ready", attempts: 0 });
      if (isolate === "process") expect(isAlive(Number.parseInt(hiding, 10))).toBe(false);
    });

    test("that ends its runner fails only its own job", async () => {
      const { andon, queue } = await working({ isolate, places: 2 });
      const bystander = await queue.add({ task: "progress and wait", with: "here" });
      await progressOf(andon, bystander.id);
      const exits = await errand(andon, queue, { task: "exit", with: 3 }, "skipped");
      expect(exits.error).toMatchObject({
        code: "HANDLER_CRASHED",
        message: `the handler's ${isolate} ended by itself (exit code 3)`,
      });
      const throws = await errand(andon, queue, { task: "throw where nobody catches" }, "skipped");
      expect(throws.error).toMatchObject({
        code: "HANDLER_CRASHED",
        message: `the handler's ${isolate} ended by itself (exit code 1): RangeError: nobody catches this`,
      });
      expect((await andon.attempts(throws.id))[0]?.stack).toContain("isolated-tasks.");
      expect((await andon.job(bystander.id))?.state).toBe("running");
      await errand(andon, queue, { task: "self" });
      await queue.cancel(bystander.id, decision);
      await ended(andon, bystander.id, "cancelled");
    });

    test("that crashes is tried again, from its last checkpoint", async () => {
      const { andon, queue } = await working({ isolate }, { attempts: 2 });
      const job = await errand(andon, queue, { task: "checkpoint and exit", with: 2 });
      expect(job).toMatchObject({ result: { from: 2 }, attempts: 1 });
    });

    test("throws errors that keep their name, code, message, stack and meaning", async () => {
      const { andon, queue } = await working({ isolate }, { attempts: 3, probe: false });
      const thrown = await errand(andon, queue, { task: "throw", with: { code: "E_PICTURE" } }, "skipped");
      expect(thrown.error).toMatchObject({ code: "E_PICTURE", message: "no such picture" });
      const attempts = await andon.attempts(thrown.id);
      expect(attempts).toHaveLength(3);
      expect(attempts[0]?.stack).toMatch(/^TypeError: no such picture\n[\s\S]*isolated-tasks\./);
      expect((await errand(andon, queue, { task: "throw" }, "skipped")).error?.code).toBe("TypeError");
      expect((await errand(andon, queue, { task: "throw text" }, "skipped")).error?.message).toBe(
        "only text",
      );

      const final = await errand(andon, queue, { task: "unretryable" }, "skipped");
      expect(final).toMatchObject({ attempts: 1, error: { code: "BadPicture" } });
      const snoozed = await errand(andon, queue, { task: "snooze first" });
      expect(snoozed).toMatchObject({ result: "awake", attempts: 0 });
    });

    test("gives its errors to the queue's classify and policy as they were thrown", async () => {
      const seen: unknown[] = [];
      const { andon, queue } = await working(
        { isolate },
        {
          probe: false,
          classify: ({ error }) => {
            seen.push(error);
            return "job";
          },
          onFinalFailure: ({ error }) =>
            (error as { status?: number }).status === 507 ? "stop-queue" : "skip",
        },
      );
      await errand(andon, queue, { task: "throw", with: { status: 507 } }, "failed");
      expect(seen[0]).toMatchObject({ name: "TypeError", status: 507 });
      expect((await queue.status()).state).toBe("stopped");
    });

    test("degrades the whole queue when it throws DestinationDown", async () => {
      const { andon, queue } = await working({ isolate }, { attempts: 2, backoff: { delay: "1h" } });
      await queue.add({ task: "destination down" });
      await until(async () => (await queue.status()).state === "degraded");
      expect(await andon.workers()).toHaveLength(1);
    });

    test("gets a clear error for a result and for writes that cannot cross to the parent", async () => {
      const { andon, queue } = await working({ isolate });
      const circle = await errand(andon, queue, { task: "circle" }, "skipped");
      expect(circle.error?.code).toBe("RESULT_NOT_JSON");
      expect(circle.error?.message).toMatch(/^the handler's result is not JSON: .*circular/);
      const committed = await errand(andon, queue, { task: "commit" }, "skipped");
      expect(committed.error?.code).toBe("ISOLATED_WRITES");
      expect(committed.error?.message).toContain("cannot return commit(…)");
      const writes = await errand(andon, queue, { task: "checkpoint with writes" }, "skipped");
      expect(writes.error?.code).toBe("ISOLATED_WRITES");
    });

    test("gets a clear error for a value that is not JSON, at the call that gives it", async () => {
      const { andon, queue } = await working({ isolate });
      const { result: self } = await errand(andon, queue, { task: "self" });
      const returned = await errand(andon, queue, { task: "return a function" }, "skipped");
      expect(returned.error).toMatchObject({
        code: "RESULT_NOT_JSON",
        message: "the handler's result is not JSON: it is a function",
      });
      for (const [task, message] of [
        ["progress with a function", "the progress is not JSON: it is a function"],
        ["checkpoint with a function", "the cursor is not JSON: it is a function"],
      ] as const)
        expect((await errand(andon, queue, { task }, "skipped")).error).toMatchObject({
          code: "TypeError",
          message,
        });
      expect((await errand(andon, queue, { task: "self" })).result).toBe(self);
    });

    test("fails its attempt with an error that cannot be read, and keeps its runner", async () => {
      const { andon, queue } = await working({ isolate });
      const { result: self } = await errand(andon, queue, { task: "self" });
      const task = "throw what cannot be looked at";
      for (const [given, message] of [
        "an error that cannot be read",
        "its properties throw",
        "an error that cannot be read",
      ].entries())
        expect((await errand(andon, queue, { task, with: given }, "skipped")).error?.message).toBe(message);
      expect((await errand(andon, queue, { task: "self" })).result).toBe(self);
    });

    test("may send messages on the runner's channel, and harms only its own job with them", async () => {
      const { andon, queue } = await working({ isolate });
      for (const given of [null, 7, "text", [], { kind: "nonsense" }, { kind: 5 }, { kind: "toString" }])
        expect((await errand(andon, queue, { task: "say", with: given })).result).toBe("said");
      for (const given of [
        { kind: "done", result: "not JSON" },
        { kind: "progress", value: "not JSON" },
        { kind: "checkpoint", call: 1, cursor: "not JSON" },
        { kind: "threw", error: null },
      ])
        await errand(andon, queue, { task: "say and wait", with: given }, "skipped");
      await errand(andon, queue, { task: "say", with: { kind: "dying", error: null } });
      await errand(andon, queue, { task: "self" });
    });

    test("whose module has no default export fails its job and reports why", async () => {
      const andon = await openStore();
      const queue = andon.queue("empty", { attempts: 1, onFinalFailure: "skip" });
      await queue.work(new URL("./no-handler.fixture.mjs", import.meta.url), { isolate, execArgv });
      const { id } = await queue.add({});
      expect((await ended(andon, id, "skipped")).error?.message).toMatch(
        /its default export must be a function/,
      );
    });

    test("lets its parent end once it is closed, with Node arguments that are passed on", async () => {
      const parent = spawnNode(
        new URL("./isolating-parent.fixture.ts", import.meta.url),
        [isolate, "leave"],
        {
          NODE_OPTIONS: `--import ${TYPESCRIPT}`,
        },
      );
      await parent.waitForLine("seen", 30_000);
      expect(await parent.exited).toEqual({ code: 0, signal: null });
      expect(parent.stderr.replace(/^.*ExperimentalWarning.*\n.*--trace-warnings.*\n/gm, "")).toBe("");
    });

    test("works on PostgreSQL, with progress and the cancel of a handler that spins", async () => {
      const database = await createDatabase();
      onTestFinished(() => database.drop());
      const { andon, queue } = await working({ isolate }, {}, database.url);
      const { id } = await queue.add({ task: "spin" });
      await progressOf(andon, id);
      await queue.cancel(id, decision);
      await ended(andon, id, "cancelled");
      const job = await errand(andon, queue, { task: "echo", with: "after" });
      expect(job.result).toMatchObject({ given: "after" });
      await andon.close();
    });
  });
}
