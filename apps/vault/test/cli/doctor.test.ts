import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { andon, andonProcess, temporaryFolder } from "@andon/cli/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startVaultServer } from "./vault-server.ts";

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

async function doctor(env: Record<string, string>) {
  const { stdout, stderr } = await andon(["doctor", "--json"], { env, folder: folder.path });
  expect(stderr).toBe("");
  const { findings } = JSON.parse(stdout) as { findings: Row[] };
  return { findings, of: (check: string) => findings.filter((row) => row.check === check) };
}

describe("cache and NAS", () => {
  const marker = () => join(folder.path, "data", "nas", ".andon-nas");
  const places = async () => {
    const env = { ANDON_URL: "http://127.0.0.1:1", ANDON_DATA: join(folder.path, "data") };
    const { of } = await doctor(env);
    return { cache: of("cache"), nas: of("nas") };
  };

  test("that do not exist yet are created by the first start, not by a check", async () => {
    const { cache, nas } = await places();
    expect(cache).toMatchObject([{ level: "warn", what: expect.stringContaining("does not exist yet") }]);
    expect(nas).toMatchObject([{ level: "warn", what: expect.stringContaining("has no mark yet") }]);
    expect(readdirSync(join(folder.path, "data"))).toEqual(["admin.key"]);
  });

  test("that are healthy report their free space; a missing, unmarked or wrong one is found", async () => {
    const server = await startVaultServer({ data: join(folder.path, "data") });
    await server.upload("a.txt", "x");
    await server.synced();
    const running = await doctor({ ...server.env, ANDON_DATA: join(folder.path, "data") });
    expect(running.findings.filter(({ level }) => level === "bad")).toEqual([]);
    expect(running.of("parts").map(({ what }) => what)).toEqual(
      expect.arrayContaining(["cache answers", "nas answers"]),
    );
    await server.close();
    const well = await places();
    for (const rows of [well.cache, well.nas]) {
      expect(rows[0]).toMatchObject({
        level: "ok",
        what: expect.stringContaining("answers and can be written"),
      });
      expect(rows[1]?.what).toMatch(/\d+ (MB|GB) free/);
    }
    writeFileSync(marker(), "another's\n");
    expect((await places()).nas).toMatchObject([
      { level: "bad", what: expect.stringContaining("not the one that the store remembers") },
    ]);
    rmSync(marker());
    expect((await places()).nas).toMatchObject([
      {
        level: "bad",
        what: expect.stringContaining("is it mounted?"),
        todo: expect.stringContaining("andon nas init"),
      },
    ]);
    rmSync(join(folder.path, "data", "cache"), { recursive: true });
    expect((await places()).cache).toMatchObject([
      { level: "bad", what: expect.stringContaining("is not there, or not mounted") },
    ]);
  });
});

test.skipIf(process.platform === "win32")("a NAS that hangs is reported, and the command ends", async () => {
  const nas = join(folder.path, "data", "nas");
  mkdirSync(nas);
  // Nobody writes to the pipe, so reading the marker never returns, as on a share whose server has disappeared.
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(nas, ".andon-nas")]);
  const env = { ANDON_URL: "http://127.0.0.1:1", ANDON_DATA: join(folder.path, "data") };
  const looked = await andonProcess(["doctor", "--json"], { env, folder: folder.path });
  const { findings } = JSON.parse(looked.stdout) as { findings: Row[] };
  expect(findings.filter(({ check }) => check === "nas")).toMatchObject([
    { level: "bad", what: expect.stringContaining("did not answer in time") },
  ]);
  const marked = await andonProcess(["nas", "init", "--yes"], { env, folder: folder.path });
  expect(marked.code).toBe(1);
  expect(marked.stderr).toContain("nothing was done");
});
