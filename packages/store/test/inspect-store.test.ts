import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@andon/testkit";
import { afterAll, describe, expect, test } from "vitest";
import { inspectStore } from "../src/inspect-store.ts";
import { ENGINE_MIGRATIONS } from "../src/migrate.ts";
import { openStore } from "../src/open-store.ts";
import { readSnapshot } from "../src/snapshot.ts";

const folder = mkdtempSync(join(tmpdir(), "andon-look-"));
const removals: (() => Promise<void>)[] = [];
let files = 0;
afterAll(async () => {
  for (const remove of removals) await remove();
  rmSync(folder, { recursive: true, force: true });
});

const PLACES = {
  sqlite: async () => `sqlite:${join(folder, `${++files}.db`)}`,
  postgres: async () => {
    const database = await createDatabase();
    removals.push(database.drop);
    return database.url;
  },
};

/** A migration set that no store has. */
const STRANGER = { ...ENGINE_MIGRATIONS, name: "stranger" };

describe.each(["sqlite", "postgres"] as const)("an inspection of a %s store", (kind) => {
  const known = readdirSync(new URL(`${kind}/`, ENGINE_MIGRATIONS.folder)).length;

  test("that no program has opened yet finds nothing and creates nothing", async () => {
    const url = await PLACES[kind]();
    for (let look = 0; look < 2; look++)
      expect((await inspectStore(url)).versions).toEqual([{ set: "engine", found: 0, known }]);
    expect(await readSnapshot(url, (snapshot) => snapshot.hasTable("andon_jobs"))).toBe(false);
    if (kind === "sqlite") expect(existsSync(url.slice("sqlite:".length))).toBe(false);
  });

  test("that is up to date, behind or ahead returns the versions of every set", async () => {
    const url = await PLACES[kind]();
    const store = await openStore(url);
    try {
      const before = Date.now();
      const { now, versions } = await inspectStore(url, [ENGINE_MIGRATIONS, STRANGER]);
      expect(versions).toEqual([
        { set: "engine", found: known, known },
        { set: "stranger", found: 0, known },
      ]);
      // The test's database runs on this machine.
      expect(Math.abs(now - before)).toBeLessThan(60_000);
      await store.transaction("test", (tx) =>
        tx.query(
          "insert into andon_migrations (migration_set, version, name, at) values ($1, $2, 'later', 0)",
          ["engine", known + 3],
        ),
      );
      expect((await inspectStore(url)).versions).toEqual([{ set: "engine", found: known + 3, known }]);
    } finally {
      await store.close();
    }
  });

  test("cannot write", async () => {
    const url = await PLACES[kind]();
    await (await openStore(url)).close();
    const written = readSnapshot(url, ({ query }) => query("delete from andon_migrations"));
    await expect(written).rejects.toThrow(/read-?only/);
    expect((await inspectStore(url)).versions).toMatchObject([{ found: known }]);
  });
});

test("a file that is not a database is refused, and so is an address without a server", async () => {
  const path = join(folder, "text.db");
  writeFileSync(path, "this is no database, whatever its name says".repeat(100));
  await expect(inspectStore(`sqlite:${path}`)).rejects.toThrow(/not a database/);
  await expect(inspectStore("mysql://x")).rejects.toMatchObject({ code: "STORE_URL" });
});

test("an inspection times out if the database accepts connections and does not answer", async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await expect(inspectStore(`postgres://user@127.0.0.1:${port}/x`)).rejects.toThrow(/timeout/);
  server.close();
});
