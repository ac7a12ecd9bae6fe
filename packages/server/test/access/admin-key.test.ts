import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnNode } from "@andon/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { adminToken } from "../../src/access/admin-key.ts";

let scratch: string;
let data: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "andon-admin-key-"));
  data = join(scratch, "data");
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

describe("the admin key", () => {
  test("is created once, readable only by its owner, and read again later", async () => {
    const first = await adminToken(data);
    expect(first).toEqual({ token: expect.stringMatching(/^andon_[\w-]{43}$/), made: true });
    const file = join(data, "admin.key");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toBe(`${first.token}\n`);
    expect(await adminToken(data)).toEqual({ token: first.token, made: false });
    expect(readdirSync(data)).toEqual(["admin.key"]);
  });

  test("is one key for concurrent starts in one process", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => adminToken(data)));
    expect(new Set(all.map(({ token }) => token)).size).toBe(1);
    expect(all.filter(({ made }) => made)).toHaveLength(1);
    expect(readdirSync(data)).toEqual(["admin.key"]);
  });

  test("is one key for two processes that start at once", async () => {
    const fixture = new URL("./admin-key.fixture.ts", import.meta.url);
    const children = [spawnNode(fixture, [data]), spawnNode(fixture, [data])];
    await Promise.all(children.map((child) => child.waitForLine("ready")));
    for (const child of children) child.send("go");
    const lines = await Promise.all(children.map((child) => child.waitForLine(/^\{/)));
    await Promise.all(children.map((child) => child.exited));
    const results = lines.map((line) => JSON.parse(line) as { token: string; made: boolean });
    expect(new Set(results.map(({ token }) => token)).size).toBe(1);
    expect(results.filter(({ made }) => made)).toHaveLength(1);
  });

  test("from the settings takes precedence, and nothing is written", async () => {
    expect(await adminToken(data, "given-token")).toEqual({ token: "given-token", made: false });
    expect(readdirSync(scratch)).toEqual([]);
  });

  test.for(["", "  ", "two words", "한글"])(
    "cannot be %j, and the error does not show the value",
    async (given) => {
      const error = await adminToken(data, given).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: "INVALID_OPTION" });
      if (given.trim() !== "") expect(error.message).not.toContain(given);
    },
  );

  test("is refused if its file is empty, and the error names the file", async () => {
    await adminToken(data);
    const file = join(data, "admin.key");
    writeFileSync(file, "");
    await expect(adminToken(data)).rejects.toMatchObject({
      code: "INVALID_OPTION",
      details: { where: file },
    });
  });
});
