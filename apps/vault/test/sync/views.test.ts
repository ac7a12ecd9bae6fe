import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@andon/testkit";
import { describe, expect, test } from "vitest";
import { metadataOf, STORES, type StoreName, VaultServer } from "../harness.ts";
import { describeFlaky, FlakyVault } from "./flaky-vault.ts";

describeFlaky("the view file_sync_queue", (it) => {
  it(
    "counts retries until the operation succeeds, and then shows none",
    async ({ server, nas }) => {
      nas.failNext("put", "DENIED", 1);
      await server.upload({ name: "a" });
      await server.synced();
      nas.failNext("put", "DENIED", 3);
      await server.upload({ name: "b" });
      await server.synced();
      const rows = await server.rows(
        "select status, retry_count, max_retries from file_sync_queue order by created_at",
      );
      expect(rows).toEqual([
        { status: "DONE", retry_count: 0, max_retries: 2 },
        { status: "FAILED", retry_count: 2, max_retries: 2 },
      ]);
    },
    { attempts: 3 },
  );
});

describe.each(STORES)("the views of nas-sync on %s", (store) => {
  test.each([
    ["per-file", {}, 5],
    ["serial", { mode: "serial" as const }, 2],
    ["set", { attempts: 2 }, 1],
  ])("show how often an operation is retried: %s", async (_, rules, expected) => {
    const vault = await FlakyVault.start(store, rules);
    try {
      await vault.server.upload({ name: "a" });
      expect(await vault.server.rows("select max_retries from file_sync_queue")).toEqual([
        { max_retries: expected },
      ]);
    } finally {
      await vault.close();
    }
  });
});

async function withGround(
  store: StoreName,
  work: (ground: { data: string; store: string }) => Promise<void>,
): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "andon-views-"));
  const database = store === "postgres" ? await createDatabase() : undefined;
  try {
    await work({ data, store: database?.url ?? `sqlite:${join(data, "andon.db")}` });
  } finally {
    await database?.drop();
    rmSync(data, { recursive: true, force: true });
  }
}

const TYPES = `select column_name as name, data_type as type from information_schema.columns
where table_name = $1 and column_name in ('seq', 'metadata', 'payload') order by 1`;

describe.each(STORES)("the views on %s", (store) => {
  test("show an operation with the seed's columns and types", async () => {
    await withGround(store, async (ground) => {
      const server = await VaultServer.start(store, {
        ground,
        settings: { queues: { "nas-sync": { attempts: 4 } } },
      });
      try {
        const { fileId } = await server.upload({ name: "a", bytes: "x" });
        await server.synced();
        const [row] = await server.rows("select * from file_sync_queue");
        expect(row).toMatchObject({ file_id: fileId, seq: 1, status: "DONE", max_retries: 3 });
        expect(metadataOf(row?.metadata)).toMatchObject({ fileId, targetPath: "a" });
        const [event] = await server.rows("select * from sync_events");
        expect(metadataOf(event?.payload)).toMatchObject({ fileId });
        if (store === "sqlite") return;
        expect(await server.rows(TYPES, ["file_sync_queue"])).toEqual([
          { name: "metadata", type: "jsonb" },
          { name: "seq", type: "integer" },
        ]);
        expect(await server.rows(TYPES, ["sync_events"])).toEqual([{ name: "payload", type: "jsonb" }]);
      } finally {
        await server.stop();
      }
    });
  });
});
