import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { andon, type RunOptions, temporaryFolder } from "@andon/cli/testing";
import { type RunningServer, settingsOf, startServer } from "@andon/server";
import { vaultApp } from "@andon/vault";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const MARKER = ".andon-nas";
const AWAY = "http://127.0.0.1:1";

let folder: ReturnType<typeof temporaryFolder>;
let data: string;
beforeEach(() => {
  folder = temporaryFolder();
  data = join(folder.path, "data");
});
afterEach(() => folder.remove());

const nas = () => join(data, "nas");
const mark = () => readFileSync(join(nas(), MARKER), "utf8");

function start(): Promise<RunningServer> {
  const given = { port: 0, data, adminToken: "a-token-for-tests-only", log: { level: "silent" as const } };
  return startServer(settingsOf({ ...given, apps: [vaultApp()] }));
}

async function nasIsWell({ url }: RunningServer): Promise<boolean> {
  const response = await fetch(new URL("/readyz", url ?? ""));
  const { parts } = (await response.json()) as { parts: { name: string; ok: boolean }[] };
  return parts.find(({ name }) => name === "nas")?.ok ?? false;
}

const init = (args: readonly string[] = [], { env = {}, ...rest }: RunOptions = {}) =>
  andon(["nas", "init", ...args], {
    env: { ANDON_URL: AWAY, ANDON_DATA: data, ...env },
    folder: folder.path,
    ...rest,
  });

test("a NAS that was never known is marked before the first start, and the start accepts it", async () => {
  mkdirSync(nas(), { recursive: true });
  writeFileSync(join(nas(), ".andon-left-by-somebody.part"), "");
  const { code, stdout } = await init(["--yes", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ changed: true, place: nas(), mark: "ours", entries: 0 });
  const made = mark();
  const server = await start();
  try {
    expect(await nasIsWell(server)).toBe(true);
    expect(mark()).toBe(made);
  } finally {
    await server.close();
  }
  const again = await init();
  expect(again).toMatchObject({ code: 0, stderr: "" });
  expect(again.stdout).toContain("nothing to do");
});

describe("a NAS that has lost its mark", () => {
  beforeEach(async () => {
    const server = await start();
    expect(await nasIsWell(server)).toBe(true);
    await server.close();
    rmSync(join(nas(), MARKER));
    writeFileSync(join(nas(), "kept.txt"), "x");
  });

  test("is never marked without a person's consent: not without a terminal, and not after a no", async () => {
    expect(await init()).toMatchObject({ code: 2, stdout: "" });
    const no = await init([], { terminal: 100, input: "n\n" });
    expect(no.code).toBe(1);
    expect(no.stderr).toContain("an unmounted share looks like this");
    expect(no.stderr).toMatch(/In its root\S* +1/);
    expect(readdirSync(nas())).toEqual(["kept.txt"]);
  });

  test("is marked on a person's consent, which the audit log records", async () => {
    const yes = await init(["--lang", "ko"], { terminal: 100, input: "예\n" });
    expect(yes.code).toBe(0);
    expect(yes.stdout).toContain("이 NAS를 등록했습니다.");
    const server = await start();
    try {
      expect(await nasIsWell(server)).toBe(true);
      const rows = await server.site.andon.store.query<{ actor: string }>(
        "select actor from andon_audit where action = 'nas.init'",
      );
      expect(rows).toEqual([{ actor: expect.stringMatching(/^local:./) }]);
    } finally {
      await server.close();
    }
  });

  test("is marked with a warning if a running server still remembers the old mark", async () => {
    const server = await start();
    try {
      expect(await nasIsWell(server)).toBe(false);
      const { code, stderr } = await init(["--yes"], { env: { ANDON_URL: server.url ?? "" } });
      expect(code).toBe(0);
      // A server that has not seen the old mark since its start accepts the new one.
      expect(stderr).toBe("");
      expect(await nasIsWell(server)).toBe(true);
      rmSync(join(nas(), MARKER));
      const other = await init(["--yes"], { env: { ANDON_URL: server.url ?? "" } });
      expect(other.stderr).toContain("restart it");
      expect(await nasIsWell(server)).toBe(false);
    } finally {
      await server.close();
    }
  });
});

test("another NAS than the known one is registered with its own mark", async () => {
  await (await start()).close();
  expect((await init(["--yes"])).code).toBe(0);
  writeFileSync(join(nas(), MARKER), "another disk\n");
  const { code, stderr, stdout } = await init([], { terminal: 100, input: "y\n" });
  expect(code).toBe(0);
  expect(stderr).toContain("another one than the store remembers");
  expect(stdout).toContain("This NAS is known now.");
  expect(mark()).toBe("another disk\n");
});

test("if the server has its NAS, any other one is refused and nothing is created", async () => {
  const server = await start();
  const elsewhere = join(folder.path, "elsewhere");
  mkdirSync(elsewhere);
  try {
    expect(await nasIsWell(server)).toBe(true);
    const env = { ANDON_URL: server.url ?? "", ANDON_DATA: elsewhere };
    const { code, stderr } = await init(["--yes"], { env });
    expect(code).toBe(6);
    expect(stderr).toContain(join(elsewhere, "nas"));
    expect(readdirSync(elsewhere)).toEqual([]);
  } finally {
    await server.close();
  }
});

test("the server that is asked is the one of the settings, unless another is named", async () => {
  const server = await start();
  const elsewhere = join(folder.path, "elsewhere");
  mkdirSync(elsewhere);
  const { port } = new URL(server.url ?? "");
  const unnamed = { ANDON_URL: "", ANDON_DATA: elsewhere };
  try {
    expect(await nasIsWell(server)).toBe(true);
    const byVariable = await init(["--yes"], { env: { ...unnamed, ANDON_PORT: port } });
    expect([byVariable.code, byVariable.stderr]).toEqual([6, expect.stringContaining(`:${port}`)]);
    const config = join(folder.path, "other.config.json");
    writeFileSync(config, JSON.stringify({ port: Number(port), host: "localhost" }));
    const byFile = await init(["--yes", "--config", config], { env: unnamed });
    expect([byFile.code, byFile.stderr]).toEqual([6, expect.stringContaining(`localhost:${port}`)]);
    expect(readdirSync(elsewhere)).toEqual([]);
    const named = await init(["--yes", "--url", AWAY], { env: { ...unnamed, ANDON_PORT: port } });
    expect(named.code).toBe(0);
  } finally {
    await server.close();
  }
});

test("settings without a vault have no NAS", async () => {
  writeFileSync(join(folder.path, "andon.config.json"), JSON.stringify({ vault: false }));
  const { code, stderr } = await init(["--yes"]);
  expect(code).toBe(1);
  expect(stderr).toContain("there is no NAS");
  expect(existsSync(data)).toBe(false);
});
