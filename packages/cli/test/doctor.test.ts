// One file for all checks: each test breaks one thing of the same healthy site and reads the finding about it.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { settingsOf, startServer } from "@andon/server";
import { createDatabase } from "@andon/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CheckInput } from "../src/doctor/check.ts";
import { clocks } from "../src/doctor/server-checks.ts";
import {
  andon,
  installed,
  type RunOptions,
  STORES,
  startTestServer,
  temporaryFolder,
  until,
} from "./harness.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder.path, "data"));
  writeFileSync(join(folder.path, "data", "admin.key"), "kept\n", { mode: 0o600 });
});
afterEach(() => folder.remove());

interface Row {
  check: string;
  level: string;
  what: string;
  todo: string | null;
}

async function doctor(env: Record<string, string>, options: RunOptions = {}) {
  const { code, stdout, stderr } = await andon(["doctor", "--json"], {
    env,
    folder: folder.path,
    ...options,
  });
  expect(stderr).toBe("");
  const { well, findings } = JSON.parse(stdout) as { well: boolean; findings: Row[] };
  expect(code).toBe(well ? 0 : 1);
  return { code, findings, of: (check: string) => findings.filter((row) => row.check === check) };
}

test("on a healthy site every finding is ok and the exit code is 0", async () => {
  const server = await startTestServer("sqlite", { queues: { line: { handler: () => undefined } } });
  try {
    const { code, findings } = await doctor(server.env);
    expect(code).toBe(0);
    expect(findings.filter(({ level }) => level !== "ok")).toEqual([]);
    const checks = ["node", "settings", "data", "admin.key", "disk", "server", "store", "schema"];
    const ofServer = ["clock", "key", "workers", "queues", "lanes", "deliveries"];
    expect(findings.map(({ check }) => check)).toEqual([...checks, ...ofServer]);
  } finally {
    await server.close();
  }
});

test("the server of the settings is checked, unless another server is named", async () => {
  const server = await startTestServer("sqlite", { queues: { line: { handler: () => undefined } } });
  const env = { ANDON_TOKEN: server.token, ANDON_PORT: new URL(server.url).port };
  try {
    expect((await doctor(env)).of("server")).toMatchObject([{ level: "ok" }]);
    const named = await doctor({ ...env, ANDON_URL: "http://127.0.0.1:1" });
    expect(named.of("server")).toMatchObject([{ level: "bad" }]);
  } finally {
    await server.close();
  }
});

test("a stopped queue, held lanes and missing workers are found, each with what to do", async () => {
  const server = await startTestServer("sqlite", { roles: ["api"], queues: { line: {} } });
  try {
    await server.client.queues.add({ queue: "line", payload: {} });
    await server.client.lanes.hold({ queue: "line", key: "file:1" });
    await server.client.queues.pause({ queue: "line", reason: "점검" });
    const { code, of } = await doctor({ ...server.env, LANG: "ko_KR.UTF-8" });
    expect(code).toBe(1);
    expect(of("queues")).toEqual([
      {
        check: "queues",
        level: "bad",
        what: "line 정지됨: 점검",
        todo: "andon failed line로 확인하고 결정한 뒤 andon resume line",
      },
    ]);
    expect(of("lanes")).toMatchObject([{ level: "warn", todo: "andon lanes line --held" }]);
    expect(of("workers")).toMatchObject([{ level: "bad" }]);
  } finally {
    await server.close();
  }
});

test.each([
  ["en_US.UTF-8", "no worker works orphan, where 1 job waits"],
  ["ko_KR.UTF-8", "orphan 큐를 처리하는 워커가 없고 작업 1개가 대기 중"],
])("a queue with waiting jobs and no worker is found, in %s", async (LANG, what) => {
  const queues = { orphan: {}, line: { handler: () => undefined } };
  const server = await startTestServer("sqlite", { queues });
  try {
    expect((await doctor(server.env)).of("workers")).toMatchObject([{ level: "ok" }]);
    await server.client.queues.add({ queue: "orphan", payload: {} });
    const { code, of } = await doctor({ ...server.env, LANG });
    expect(code).toBe(0);
    expect(of("workers")).toMatchObject([{ level: "warn", what, todo: expect.stringContaining("orphan") }]);
  } finally {
    await server.close();
  }
});

test("a channel that does not receive its alerts is found", async () => {
  const channel = { type: "webhook" as const, url: "http://127.0.0.1:1/hook" };
  const server = await startTestServer("sqlite", { alerts: { channels: [channel] } });
  try {
    expect((await doctor(server.env)).of("deliveries")).toMatchObject([{ level: "ok" }]);
    const { id } = await server.client.alerts.test();
    await until(async () => {
      const { deliveries } = await server.client.alerts.show({ id });
      return deliveries.some(({ state }) => state === "RETRYING" || state === "FAILED");
    });
    const [found] = (await doctor(server.env)).of("deliveries");
    expect(found).toMatchObject({
      what: expect.stringContaining("do not get through to"),
      todo: expect.any(String),
    });
    expect(found?.level).not.toBe("ok");
  } finally {
    await server.close();
  }
});

describe("without a server", () => {
  const away = { ANDON_URL: "http://127.0.0.1:1", ANDON_TOKEN: "t" };

  test("reports that no server answers, and runs the checks that need none", async () => {
    const { code, of } = await doctor(away);
    expect(code).toBe(1);
    expect(of("server")).toMatchObject([{ level: "bad" }]);
    expect(of("store")).toMatchObject([
      { level: "warn", what: expect.stringContaining("does not exist yet") },
    ]);
    expect(of("workers")).toEqual([]);
    writeFileSync(join(folder.path, "data", "andon.db"), "");
    expect((await doctor(away)).of("store")).toMatchObject([{ level: "ok" }]);
  });

  test("finds a database that takes no connections", async () => {
    const { of } = await doctor({ ...away, ANDON_STORE: "postgres://user:secret@127.0.0.1:1/x" });
    expect(of("store")).toMatchObject([{ level: "bad", what: "does not answer (ECONNREFUSED)" }]);
  });

  test("finds an admin key that others can read", async () => {
    chmodSync(join(folder.path, "data", "admin.key"), 0o644);
    const { of } = await doctor(away);
    expect(of("admin.key")).toMatchObject([{ level: "bad", what: expect.stringContaining("mode 644") }]);
  });

  test("finds every wrong setting", async () => {
    const env = { ...away, ANDON_PORT: "many", ANDON_STROE: "x" };
    const { of } = await doctor(env);
    expect(of("settings").map(({ what }) => what)).toEqual([
      expect.stringContaining("ANDON_STROE is not a known variable"),
      expect.stringContaining('ANDON_PORT is "many"'),
    ]);
  });
});

describe.each(STORES)("the tables of a %s store", (kind) => {
  test("are found missing, current, older and newer without a server", async () => {
    const database = kind === "postgres" ? await createDatabase() : undefined;
    const data = join(folder.path, "data");
    const store = database?.url ?? `sqlite:${join(data, "andon.db")}`;
    const look = () => doctor({ ANDON_URL: "http://127.0.0.1:1", ANDON_STORE: store, ANDON_DATA: data });
    expect((await look()).of("schema")).toMatchObject([
      { level: "warn", what: "the store has no tables yet" },
    ]);
    const given = { port: 0, data, store, roles: ["api" as const], log: { level: "silent" as const } };
    const server = await startServer(settingsOf(given, await installed()));
    const alter = (sql: string) => server.site.andon.store.transaction("test", (tx) => tx.query(sql));
    try {
      const { of } = await look();
      expect(of("schema")).toMatchObject([
        { level: "ok", what: expect.stringMatching(/^fits: engine \d+, server \d+(, app:[\w-]+ \d+)+$/) },
      ]);
      expect(of("clock")).toMatchObject([{ level: "ok", what: "this machine and the store agree to 2 s" }]);
      expect(of("store")).toMatchObject([{ level: "ok" }]);

      await alter("delete from andon_migrations where migration_set = 'app:vault'");
      expect((await look()).of("schema")).toMatchObject([
        {
          level: "warn",
          what: expect.stringContaining("app:vault are at version 0"),
          todo: "They are migrated at the next start.",
        },
      ]);
      await alter(
        "insert into andon_migrations (migration_set, version, name, at) values ('app:vault', 900, 'later', 0)",
      );
      const newer = await look();
      expect(newer.code).toBe(1);
      expect(newer.of("schema")).toMatchObject([
        {
          level: "bad",
          what: expect.stringContaining("app:vault are at version 900"),
          todo: expect.stringContaining("Update the program"),
        },
      ]);
    } finally {
      await server.close();
      await database?.drop();
    }
  });
});

test.each([
  [0, "ok"],
  [1_500, "ok"],
  [-3_500, "warn"],
  [3_500, "warn"],
])("a store whose clock is off by %i ms is %s", async (off, level) => {
  const inspection = { now: 1_000_000 + off, versions: [] };
  const store = { inspection, asked: 1_000_000, answered: 1_000_100, isUsed: true };
  expect(await clocks.run({ store } as unknown as CheckInput)).toMatchObject([{ level }]);
});

test.each([
  [-60_000, "warn"],
  [-1_000, "ok"],
  [60_000, "warn"],
])("a server whose clock is off by %i ms is %s", async (off, level) => {
  const server = createServer((_, response) => {
    response.sendDate = false;
    response
      .writeHead(503, { "content-type": "application/json", date: new Date(Date.now() + off).toUTCString() })
      .end(
        JSON.stringify({
          status: "unavailable",
          parts: [{ name: "store", ok: false, problem: "ECONNREFUSED" }],
        }),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { of } = await doctor({ ANDON_URL: url });
  server.close();
  expect(of("clock")).toMatchObject([{ level }]);
  expect(of("store")).toMatchObject([{ level: "bad", what: "does not answer (ECONNREFUSED)" }]);
});

describe("config check", () => {
  test("reports that the settings can be used", async () => {
    writeFileSync(
      join(folder.path, "andon.config.json"),
      JSON.stringify({ queues: { line: { mode: "serial" } } }),
    );
    const ran = await andon(["config", "check"], { folder: folder.path, env: { ANDON_TOKEN: "t" } });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("The settings can be used.");
    expect(ran.stdout).toMatch(/Queues +line/);
  });

  test("names every problem, also as JSON, and ends with 1", async () => {
    writeFileSync(join(folder.path, "my.config.json"), JSON.stringify({ prot: 1, host: "" }));
    const args = ["config", "check", "--config", "my.config.json"];
    const ran = await andon([...args, "--lang", "ko"], { folder: folder.path });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain("설정을 사용할 수 없습니다:");
    expect(ran.stdout).toContain('my.config.json: prot: 알 수 없는 키입니다. "port"를 쓰려고 했나요?');
    expect(ran.stdout).toContain('my.config.json: host: 값이 ""입니다. 허용되는 값: 1자 이상');
    const inEnglish = await andon(args, { folder: folder.path });
    expect(inEnglish.stdout).toContain('my.config.json: prot is not a known key. Did you mean "port"?');
    const json = await andon([...args, "--json"], { folder: folder.path });
    expect(JSON.parse(json.stdout)).toEqual({
      valid: false,
      problems: [
        { where: "my.config.json", key: "host", text: 'is ""; allowed: at least 1 characters' },
        { where: "my.config.json", key: "prot", text: 'is not a known key. Did you mean "port"?' },
      ],
    });
    expect(json.code).toBe(1);
  });
});
