import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { settingsOf } from "../../src/config/read-settings.ts";
import { startServer } from "../../src/start.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "andon-modes-"));
  folders.push(folder);
  return folder;
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

async function start(data: string, more = {}, lines: string[] = []) {
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  return startServer(settingsOf({ port: 0, data, ...more }), { log });
}

test("only the owner can read the data folder, the admin key and the files of SQLite", async () => {
  const data = join(newFolder(), "data");
  const before = process.umask(0o022);
  try {
    const server = await start(data);
    const files = ["admin.key", "andon.db", "andon.db-wal", "andon.db-shm"].map((name) => join(data, name));
    expect([modeOf(data), ...files.map(modeOf)]).toEqual(["700", ...files.map(() => "600")]);
    await server.close();
    // The modes that an earlier version set.
    chmodSync(data, 0o755);
    chmodSync(join(data, "andon.db"), 0o644);
    const again = await start(data);
    expect([modeOf(data), modeOf(join(data, "andon.db"))]).toEqual(["700", "600"]);
    await again.close();
  } finally {
    process.umask(before);
  }
});

test("a folder that existed before keeps its mode", async () => {
  const data = join(newFolder(), "shared");
  mkdirSync(data);
  chmodSync(data, 0o755);
  const server = await start(data, { store: `sqlite:${join(data, "own.db")}` });
  expect([modeOf(data), modeOf(join(data, "own.db"))]).toEqual(["755", "600"]);
  expect(existsSync(join(data, "admin.key"))).toBe(true);
  await server.close();
});

test("listening beyond loopback without TLS logs a warning, unless a trusted proxy or publicUrl is set", async () => {
  const warnings = async (more: object) => {
    const lines: string[] = [];
    const server = await start(join(newFolder(), "data"), more, lines);
    await server.close();
    return lines.filter((line) => line.includes("without TLS")).length;
  };
  expect(await warnings({ host: "0.0.0.0" })).toBe(1);
  expect(await warnings({ host: "0.0.0.0", publicUrl: "https://andon.example.com" })).toBe(0);
  expect(await warnings({ host: "0.0.0.0", trustProxy: ["10.0.0.0/8"] })).toBe(0);
  expect(await warnings({})).toBe(0);
});
