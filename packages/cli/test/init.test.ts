import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { andon, andonProcess, startAndon, temporaryFolder } from "./harness.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");

/** What `npm start` builds: the folders that a new project depends on. */
beforeAll(() => {
  const built = spawnSync(process.execPath, [TSC, "-b", "packages/cli", "packages/andon"], { cwd: ROOT });
  expect(built.status).toBe(0);
}, 120_000);

/** No network is needed: the dependencies are folders of the clone. */
function npm(project: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  return spawnSync("npm", args, { cwd: project, encoding: "utf8", env });
}

function install(project: string): void {
  const ran = npm(project, "install", "--offline", "--no-audit", "--no-fund");
  expect(ran.status, ran.stderr).toBe(0);
}

test("a new project's own test passes", { timeout: 90_000 }, async () => {
  const made = await andonProcess(["init", "my-Queues"], { folder: folder.path });
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toContain("cd my-Queues && npm install\n  npm test\n  npx andon start");
  const project = join(folder.path, "my-Queues");
  const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  expect(manifest.name).toBe("my-queues");
  expect(manifest.dependencies.andon).toBe(`file:${join(ROOT, "packages", "andon")}`);
  install(project);
  const ran = npm(project, "test");
  expect(ran.stdout).toContain("# pass 1");
  expect(ran.status).toBe(0);
  expect(npm(project, "exec", "--", "andon", "--version").stdout).toMatch(/^\d+\.\d+\.\d+$/m);
});

test("a new project's settings can be used, and its server starts and ends without an error", {
  timeout: 90_000,
}, async () => {
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

test("a start that names an unknown queue is refused", async () => {
  writeFileSync(
    join(folder.path, "andon.config.json"),
    JSON.stringify({ port: 0, log: { level: "silent" }, queues: { line: {} } }),
  );
  const { code, stderr } = await andonProcess(["start", "--queues", "lime"], { folder: folder.path });
  expect(code).toBe(2);
  expect(stderr).toMatch(/There is no queue lime here\. There are: nas-sync, .*\bline\b/);
});

test("settings that cannot be used end the start with 78, and the error names them", async () => {
  const { code, stderr } = await andonProcess(["start"], { folder: folder.path, env: { ANDON_PORT: "x" } });
  expect(code).toBe(78);
  expect(stderr).toContain('ANDON_PORT is "x"');
});

test.each(["taken", "taken/below"])("a file in place of the folder is named: %s", async (given) => {
  writeFileSync(join(folder.path, "taken"), "mine");
  const { code, stdout, stderr } = await andon(["init", given], { folder: folder.path });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`${join(folder.path, given)} is a file or below one`);
  expect(stderr).toContain("Choose another folder.");
  expect(readFileSync(join(folder.path, "taken"), "utf8")).toBe("mine");
});

test("nothing is overwritten, and a refusal leaves nothing behind", async () => {
  writeFileSync(join(folder.path, "README.md"), "mine");
  const { code, stderr } = await andon(["init"], { folder: folder.path });
  expect(code).toBe(1);
  expect(stderr).toContain("README.md is there already");
  expect(readdirSync(folder.path)).toEqual(["README.md"]);
  expect(readFileSync(join(folder.path, "README.md"), "utf8")).toBe("mine");
});
