import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spawnNode } from "../src/index.ts";

const fixture = new URL("./echo.fixture.ts", import.meta.url);

test("a child runs TypeScript with our packages as built, reads lines and ends with its own code", async () => {
  const child = spawnNode(fixture, ["argument"], { GREETING: "hello" });
  const ready = await child.waitForLine("ready");
  expect(ready).toContain("ready argument hello whole");
  expect(ready).toContain("packages/testkit/dist/index.js");
  child.send("one");
  child.send("two");
  expect(await child.waitForLine(/heard t/)).toBe("heard two");
  child.send("quit");
  expect(await child.exited).toEqual({ code: 3, signal: null });
});

test("JavaScript starts without the flags for TypeScript, which take most of the start-up time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "andon-child-"));
  const program = join(folder, "built.js");
  writeFileSync(program, "console.log('ready', process.execArgv.length)");
  const child = spawnNode(program);
  expect(await child.waitForLine("ready")).toBe("ready 0");
  await child.exited;
  rmSync(folder, { recursive: true });
});

test("a killed child is reported with its signal, and waiting for it says so", async () => {
  const child = spawnNode(fixture);
  await child.waitForLine("ready");
  const waiting = expect(child.waitForLine("never")).rejects.toThrow("child ended (SIGKILL)");
  expect(await child.kill("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });
  await waiting;
});
