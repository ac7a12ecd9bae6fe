import { execFileSync } from "node:child_process";
import { mkdtemp, open as openFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { spawnNode, until } from "@andon/testkit";
import type { WorkOptions } from "andon";
import { expect, test } from "vitest";
import { errand, errors, isAlive, openStore, progressOf, TASKS, working } from "./bench.ts";

test("a thread that hangs in a file call is not waited for when the worker closes", async () => {
  const pipe = join(await mkdtemp(join(tmpdir(), "andon-pipe-")), "pipe");
  execFileSync("mkfifo", [pipe]);
  const { andon, queue, worker } = await working({ isolate: "thread", grace: 0 });
  const { id } = await queue.add({ task: "open a file", with: pipe });
  await progressOf(andon, id);
  const since = performance.now();
  await worker.close();
  expect(performance.now() - since).toBeLessThan(10_000);
  expect((await andon.job(id))?.state).toBe("ready");
  // Only a writer ends the call, and with it the thread.
  await (await openFile(pipe, "w")).close();
  await rm(dirname(pipe), { recursive: true });
});

test("a process that needs more memory than its limit is ended, and its parent continues", async () => {
  const { andon, queue } = await working({ isolate: "process", resourceLimits: { maxOldMemoryMb: 64 } });
  const job = await errand(andon, queue, { task: "eat memory" }, "skipped");
  expect(job.error?.code).toBe("HANDLER_CRASHED");
  expect(job.error?.message).toMatch(/ended by itself/);
  await errand(andon, queue, { task: "self" });
});

test("a process that is killed from outside fails its job with the signal", async () => {
  const { andon, queue } = await working({ isolate: "process" });
  const job = await errand(andon, queue, { task: "kill itself" }, "skipped");
  expect(job.error).toMatchObject({
    code: "HANDLER_CRASHED",
    message: "the handler's process ended by itself (SIGKILL)",
  });
  await errand(andon, queue, { task: "self" });
});

test("a runner that dies between two jobs is reported to onError and fails no job", async () => {
  const { andon, queue } = await working({ isolate: "process" });
  const { result } = await errand(andon, queue, { task: "self" });
  process.kill(Number.parseInt(result as string, 10), "SIGKILL");
  const error = await until(async () => errors.pop());
  expect(error).toMatchObject({ code: "HANDLER_CRASHED", signal: "SIGKILL" });
  expect((await errand(andon, queue, { task: "self" })).result).not.toBe(result);
});

test("a process that spins does not outlive a parent that is killed", async () => {
  const parent = spawnNode(new URL("./isolating-parent.fixture.ts", import.meta.url), ["process", "stay"]);
  const line = await parent.waitForLine("seen", 30_000);
  const pid = Number(/"(\d+)\//.exec(line)?.[1]);
  expect(isAlive(pid)).toBe(true);
  await parent.kill("SIGKILL");
  await until(async () => !isAlive(pid));
});

test("options that do not fit the handler are refused", async () => {
  const queue = (await openStore()).queue("picky");
  const refused = (handler: unknown, options: WorkOptions) =>
    expect(queue.work(handler as URL, options)).rejects;
  await refused(() => {}, { isolate: "thread" }).toThrow(
    /isolate is "thread" with a function; allowed: the URL/,
  );
  await refused(TASKS, {}).toThrow(/isolate is missing; allowed: "thread" or "process"/);
  await refused(TASKS.pathname, { isolate: "process" }).toThrow(/handler is a string; allowed: a function/);
  await refused(new URL("./absent.js", import.meta.url), { isolate: "thread" }).toThrow(
    /a module that exists/,
  );
  await refused(new URL("https://example.com/a.js"), { isolate: "thread" }).toThrow(/a module that exists/);
  await refused(() => {}, { execArgv: [] }).toThrow(/execArgv is \[\]; allowed: nothing without `isolate`/);
  const limited = { resourceLimits: { maxOldMemoryMb: 64 } };
  await refused(() => {}, limited).toThrow(/nothing without `isolate: "process"`/);
  await refused(TASKS, { ...limited, isolate: "thread" }).toThrow(/nothing without `isolate: "process"`/);
});
