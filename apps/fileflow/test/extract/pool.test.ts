import { readFileSync } from "node:fs";
import { join } from "node:path";
import { spawnNode, until } from "@andon/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ExtractFiles, extractFiles, extractionProcesses } from "./extract-files.ts";
import { endlessPdf, textPdf } from "./pdf-file.ts";

let files: ExtractFiles;
beforeEach(() => {
  files = extractFiles(1);
});
afterEach(async () => {
  await files.close();
  expect(extractionProcesses()).toEqual([]);
});

const text = (bytes: string | Uint8Array, signal?: AbortSignal) =>
  files.run({ task: "text", bytes, ...(signal ? { signal } : {}) });
/**
 * The error of a promise, or undefined. Attaches a handler at once, so that a rejection before the `await` is not unhandled.
 */
const outcome = (wish: Promise<unknown>) =>
  wish.then(
    () => undefined,
    (error) => error,
  );

async function oneProcess(): Promise<number> {
  return await until(async () => extractionProcesses()[0]);
}

it("starts no process before the first file, and reuses it for the next", async () => {
  expect(extractionProcesses()).toEqual([]);
  await text("one");
  const first = extractionProcesses();
  expect(first).toHaveLength(1);
  await text(textPdf(["two"]));
  // A file that a program refuses does not damage its process.
  expect(await outcome(text(Buffer.from([0, 1, 2])))).toMatchObject({ code: "EXTRACT_UNSUPPORTED" });
  await text("three");
  expect(extractionProcesses()).toEqual(first);
});

it("ends the work of an aborted request, and goes on with the next", async () => {
  const abort = new AbortController();
  const endless = outcome(text(endlessPdf(), abort.signal));
  const pid = await oneProcess();
  const next = text("next");
  abort.abort(new Error("no longer wanted"));
  expect(await endless).toMatchObject({ message: "no longer wanted" });
  expect(await next).toMatchObject({ text: "next" });
  expect(extractionProcesses()).not.toContain(pid);
  expect(files.leftOver()).toEqual([]);
});

it("lets an aborted request leave the queue for a place", async () => {
  const running = new AbortController();
  const waiting = new AbortController();
  const endless = outcome(text(endlessPdf(), running.signal));
  const waits = outcome(text("waits", waiting.signal));
  const staying = text("stays");
  const pid = await oneProcess();
  waiting.abort(new Error("left"));
  expect(await waits).toMatchObject({ message: "left" });
  expect(extractionProcesses()).toEqual([pid]);
  running.abort(new Error("done"));
  await endless;
  expect(await staying).toMatchObject({ text: "stays" });
});

it("replaces a process that dies, and fails its request with EXTRACT_CRASHED", async () => {
  const endless = outcome(text(endlessPdf()));
  const pid = await oneProcess();
  process.kill(pid, "SIGSEGV");
  expect(await endless).toMatchObject({ code: "EXTRACT_CRASHED", irreversible: false });
  expect(await text("after")).toMatchObject({ text: "after" });
  // A process that dies while idle is replaced as well.
  const [idle = 0] = extractionProcesses();
  process.kill(idle, "SIGKILL");
  await until(async () => extractionProcesses().length === 0);
  expect(await text("again")).toMatchObject({ text: "again" });
});

it("does not exceed its number of processes when requests have different memory limits", async () => {
  await files.run({ task: "text", bytes: "a", memoryMb: 200 });
  const [first] = extractionProcesses();
  await files.run({ task: "text", bytes: "b", memoryMb: 300 });
  expect(extractionProcesses()).toHaveLength(1);
  expect(extractionProcesses()).not.toEqual([first]);
});

it("passes no secret of the environment to its processes", async () => {
  process.env.FILEFLOW_TEST_SECRET = "planted-value";
  try {
    await text("x");
    const [pid = 0] = extractionProcesses();
    expect(readFileSync(`/proc/${pid}/environ`, "latin1")).not.toContain("planted-value");
  } finally {
    delete process.env.FILEFLOW_TEST_SECRET;
  }
});

it("fails running and waiting requests when it is closed", async () => {
  const running = outcome(text(endlessPdf()));
  await oneProcess();
  const waiting = outcome(text("waits"));
  await files.close();
  expect(await running).toMatchObject({ code: "EXTRACT_CLOSED", irreversible: false });
  expect(await waiting).toMatchObject({ code: "EXTRACT_CLOSED" });
});

it("reports a missing file as a failure that may be retried", async () => {
  const { createExtractor } = await import("../../src/extract/create-extractor.ts");
  const extractor = createExtractor({ processes: 1 });
  const limits = { timeoutMs: 30_000, memoryMb: 256 };
  const file = join(files.home, "gone");
  const request = {
    task: "text",
    file,
    mimeType: null,
    name: "gone",
    limits,
    outputFolder: files.home,
  } as const;
  const wish = outcome(extractor.run(request, new AbortController().signal));
  expect(await wish).toMatchObject({ code: "EXTRACT_IO", irreversible: false });
  await extractor.close();
});

it("leaves no process behind when the parent is killed while a parser loops", async () => {
  const parent = spawnNode(new URL("./endless.fixture.ts", import.meta.url), [files.home]);
  const pid = await until(async () => extractionProcesses(parent.pid)[0]);
  await parent.kill("SIGKILL");
  await until(async () => !isAlive(pid));
});

function isAlive(pid: number): boolean {
  try {
    // A zombie, which nobody has waited for, counts as dead.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return false;
  }
}
