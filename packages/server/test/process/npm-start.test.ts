import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { until } from "@andon/testkit";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { Folder } from "./server-process.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

async function npmStart() {
  const npm = spawn("npm", ["start"], {
    cwd: ROOT,
    env: { ...process.env, ANDON_DATA: folder.path, ANDON_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const exited = once(npm, "exit");
  const lines: string[] = [];
  const read = createInterface(npm.stdout).on("line", (line) => lines.push(line));
  const pid = npm.pid as number;
  onTestFinished(() => {
    if (npm.exitCode === null && npm.signalCode === null) process.kill(-pid, "SIGKILL");
  });
  const told = await until(async () => lines.find((line) => line.startsWith("Andon listens on")));
  const url = told.split(" ").at(-1) as string;
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  return { npm, pid, url, exited, lines, ended: once(read, "close") };
}

// npm runs its scripts in a shell, which forwards no signal unless `exec` has replaced it with the program.
test.each(["SIGTERM", "SIGINT"] as const)(
  "npm start forwards %s and ends with the server's exit code",
  async (signal) => {
    const { npm, url, exited } = await npmStart();
    npm.kill(signal);
    expect(await exited).toEqual([0, null]);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  },
);

test("npm start prints its steps before the server runs, each with its duration", async () => {
  const { npm, lines, exited } = await npmStart();
  const steps = lines.filter((line) => line.startsWith("✓"));
  expect(steps).toHaveLength(3);
  for (const step of steps) expect(step).toMatch(/^✓ .+ \(\d+\.\d s\)$/);
  expect(lines.indexOf(steps[2] as string)).toBeLessThan(
    lines.findIndex((line) => line.includes('"started"')),
  );
  npm.kill("SIGTERM");
  await exited;
});

test("npm start closes the server gracefully if a terminal signals all its processes", async () => {
  const { pid, ended, lines } = await npmStart();
  process.kill(-pid, "SIGINT");
  await ended;
  expect(lines.at(-1)).toContain('"closed"');
});
