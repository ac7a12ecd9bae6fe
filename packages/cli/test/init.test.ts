import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { andon, andonProcess, startAndon, temporaryFolder } from "./harness.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const PACKAGES = fileURLToPath(new URL("../../", import.meta.url));

/** What `npm install` would do, with the packages of this workspace. */
function install(project: string): void {
  mkdirSync(join(project, "node_modules", "@andon"), { recursive: true });
  symlinkSync(join(PACKAGES, "andon"), join(project, "node_modules", "andon"));
  for (const name of ["cli", "server"])
    symlinkSync(join(PACKAGES, name), join(project, "node_modules", "@andon", name));
}

test("a new project's own test passes", async () => {
  const made = await andonProcess(["init", "my-Queues"], { folder: folder.path });
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toContain("cd my-Queues && npm install\n  npm test\n  npx andon start");
  const project = join(folder.path, "my-Queues");
  const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  expect(manifest.name).toBe("my-queues");
  install(project);
  const [program = "", ...args] = manifest.scripts.test.split(" ");
  expect(program).toBe("node");
  const ran = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_OPTIONS: "--conditions=source" },
  });
  expect(ran.stdout).toContain("# pass 1");
  expect(ran.status).toBe(0);
});

test("a new project's settings can be used, and its server starts and ends in order", async () => {
  await andon(["init", "--lang", "ko"], { folder: folder.path });
  install(folder.path);
  expect(readFileSync(join(folder.path, "README.md"), "utf8")).toContain("인사 큐");
  const checked = await andonProcess(["config", "check"], { folder: folder.path });
  expect(checked.stdout).toMatch(/Queues +greetings/);

  const env = { ANDON_PORT: "0", ANDON_LOG_LEVEL: "silent", ANDON_TOKEN: "for another server" };
  const server = startAndon(["start", "--roles", "api,work", "--queues", "greetings"], {
    folder: folder.path,
    env,
  });
  const url = (await server.until(/Andon listens on http:\S+/)).split(" ").at(-1) ?? "";
  await server.until(/Open the console/);
  const status = await andon(["workers", "--json", "--url", url], { folder: folder.path });
  expect(JSON.parse(status.stdout).items).toMatchObject([{ queues: ["greetings"] }]);
  server.signal("SIGTERM");
  expect((await server.ended).code).toBe(0);
});

test("a queue that is not there is refused at the start", async () => {
  writeFileSync(
    join(folder.path, "andon.config.json"),
    JSON.stringify({ port: 0, log: { level: "silent" }, queues: { line: {} } }),
  );
  const { code, stderr } = await andonProcess(["start", "--queues", "lime"], { folder: folder.path });
  expect(code).toBe(2);
  expect(stderr).toMatch(/There is no queue lime here\. There are: nas-sync, .*\bline\b/);
});

test("settings that cannot be used end the start with 1 and are named", async () => {
  const { code, stderr } = await andonProcess(["start"], { folder: folder.path, env: { ANDON_PORT: "x" } });
  expect(code).toBe(1);
  expect(stderr).toContain('ANDON_PORT is "x"');
});

test("nothing is overwritten, and a refusal leaves nothing behind", async () => {
  writeFileSync(join(folder.path, "README.md"), "mine");
  const { code, stderr } = await andon(["init"], { folder: folder.path });
  expect(code).toBe(1);
  expect(stderr).toContain("README.md is there already");
  expect(readdirSync(folder.path)).toEqual(["README.md"]);
  expect(readFileSync(join(folder.path, "README.md"), "utf8")).toBe("mine");
});
