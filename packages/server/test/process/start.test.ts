import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeChild } from "@andon/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ADMIN_TOKEN, ask, Folder, LOAD_CONFIG, listening } from "./server-process.ts";

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

const login = (url: string, code: string | undefined) =>
  fetch(`${url}/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });

test("the first start creates a key and prints one console link, which works once; the next start prints none", async () => {
  const first = folder.start();
  const url = await listening(first);
  const line = await first.waitForLine("Open the console");
  const [, code] = /\/#code=(\S+)$/.exec(line) ?? [];
  expect(line).toContain(`${url}/#code=`);
  expect((await login(url, code)).status).toBe(200);
  expect((await login(url, code)).status).toBe(401);

  const file = join(folder.path, "admin.key");
  const key = readFileSync(file, "utf8").trim();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const asked = await fetch(`${url}/admin/queues`, { headers: { authorization: `Bearer ${key}` } });
  expect(asked.status).toBe(200);
  expect(await first.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(first.stdout + first.stderr).not.toContain(key);

  const second = folder.start();
  await listening(second);
  expect(await second.kill("SIGINT")).toEqual({ code: 0, signal: null });
  expect(second.stdout).not.toContain("code=");
  expect(readFileSync(file, "utf8").trim()).toBe(key);
});

test("with a given key, no file is written and no link is printed", async () => {
  const child = folder.start({ ANDON_ADMIN_TOKEN: ADMIN_TOKEN });
  const url = await listening(child);
  expect((await ask(`${url}/admin/queues`)).status).toBe(200);
  await child.kill("SIGTERM");
  expect(child.stdout).not.toContain("code=");
  expect(child.stdout).not.toContain(ADMIN_TOKEN);
  expect(() => statSync(join(folder.path, "admin.key"))).toThrow("ENOENT");
});

test("bad settings end the start with code 78 and list every problem without a stack", async () => {
  const config = join(folder.path, "bad.config.ts");
  writeFileSync(config, 'export default { prot: 1, queues: { "nas-sync": { attempts: 0 } } };');
  const child = folder.start({ ANDON_CONFIG: config, ANDON_PORT: "80a" });
  expect(await child.exited).toEqual({ code: 78, signal: null });
  const told = child.stderr
    .split("\n")
    .filter((line) => !line.includes("Warning") && !line.includes("trace-warnings"));
  expect(told.filter(Boolean)).toEqual([
    "The settings cannot be used:",
    'environment: ANDON_PORT is "80a"; allowed: a number',
    "bad.config.ts: queues.nas-sync.attempts is 0; allowed: at least 1",
    'bad.config.ts: prot is not a known key. Did you mean "port"?',
  ]);
});

test("the start reports bad settings in the language of the locale", async () => {
  const config = join(folder.path, "null.config.ts");
  writeFileSync(config, "export default null;");
  const child = folder.start({ ANDON_CONFIG: config, LC_ALL: "ko_KR.UTF-8" });
  expect(await child.exited).toEqual({ code: 78, signal: null });
  expect(child.stderr).toContain("설정을 사용할 수 없습니다:\nnull.config.ts: 객체를 내보내지 않습니다.");
});

test("a port that is in use ends the start with code 1 and names the variable", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const { port } = other.address() as AddressInfo;
  const child = folder.start({ ANDON_PORT: String(port) });
  const exit = await child.exited;
  other.close();
  expect(exit.code).toBe(1);
  expect(child.stderr).toContain(
    `Andon could not start: Port ${port} of 127.0.0.1 is in use: set ANDON_PORT (or \`port\`) to another one.`,
  );
  expect(child.stderr).not.toMatch(/^\s+at /m);
});

test("a store that does not answer ends the start with code 1 and does not print its password", async () => {
  const child = folder.start({ ANDON_STORE: "postgres://me:hunter2@127.0.0.1:1/andon" });
  expect((await child.exited).code).toBe(1);
  expect(child.stderr).toContain("Andon could not start: ");
  expect(child.stdout + child.stderr).not.toContain("hunter2");
});

/** A signal within this time counts as the first signal, forwarded by another process. */
const SAME_WISH_MS = 1_100;

test("the second signal does not wait for a job that never ends", async () => {
  const child = await atWork("stuck");
  process.kill(child.pid, "SIGTERM");
  await child.waitForLine('"closing"');
  await sleep(SAME_WISH_MS);
  expect(await child.kill("SIGTERM")).toEqual({ code: 143, signal: null });
});

test("the second signal does not wait for a file call that never returns", async () => {
  const child = await atWork("hung");
  process.kill(child.pid, "SIGTERM");
  await child.waitForLine('"closing"');
  await sleep(SAME_WISH_MS);
  expect(await child.kill("SIGTERM")).toEqual({ code: null, signal: "SIGTERM" });
});

test("a file call that never returns does not keep the process alive after everything is closed", async () => {
  const child = await atWork("hung", { WORK_GRACE: "1s" });
  expect(await child.kill("SIGTERM")).toEqual({ code: null, signal: "SIGKILL" });
  expect(child.stdout).toContain('"closed"');
  expect(child.stderr).toContain("file calls did not come back");
});

async function atWork(queue: "stuck" | "hung", env: Record<string, string> = {}): Promise<NodeChild> {
  const pipe = join(folder.path, "pipe");
  execFileSync("mkfifo", [pipe]);
  const child = folder.start({
    ANDON_CONFIG: LOAD_CONFIG,
    ANDON_ADMIN_TOKEN: ADMIN_TOKEN,
    WORK_PIPE: pipe,
    ...env,
  });
  const url = await listening(child);
  expect((await ask(`${url}/load/${queue}`, "POST")).status).toBe(200);
  for (;;) {
    const { active } = (await (await ask(`${url}/admin/queues/${queue}/status`)).json()) as {
      active: number;
    };
    if (active === 1) return child;
  }
}
