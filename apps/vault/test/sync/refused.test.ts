import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asNobody, createDatabase } from "@andon/testkit";
import { describe, expect, test } from "vitest";
import { STORES, until, VaultServer } from "../harness.ts";

const settings = { queues: { "nas-sync": { attempts: 2, backoff: { delay: 10 } } } };

/** A server that runs as a user whom the NAS can refuse. */
async function asUser(store: string, work: (server: VaultServer) => Promise<void>): Promise<void> {
  const database = store === "postgres" ? await createDatabase() : undefined;
  try {
    await asNobody(async () => {
      const data = mkdtempSync(join(tmpdir(), "andon-refused-"));
      const ground = { data, store: database?.url ?? `sqlite:${join(data, "andon.db")}` };
      const server = await VaultServer.start(store as never, { ground, settings });
      try {
        await work(server);
      } finally {
        await server.stop();
        rmSync(data, { recursive: true, force: true });
      }
    });
  } finally {
    await database?.drop();
  }
}

describe.each(STORES)("a NAS that refuses to be written to, on %s", (store) => {
  test("stops the queue at the cost of one operation", async () => {
    await asUser(store, async (server) => {
      await server.upload({ name: "first", bytes: "x" });
      await server.synced();
      chmodSync(server.nasFolder, 0o555);
      try {
        const names = Array.from({ length: 6 }, (_, index) => `f${index}`);
        await Promise.all(names.map((name) => server.upload({ name, bytes: name })));
        const status = await until(async () => {
          const seen = await server.done("GET", "/admin/queue/status");
          return seen.isPaused && seen.active === 0 && seen;
        });
        expect(status).toMatchObject({ failed: 1, waiting: 5, pauseReason: "NAS_SYNC_FAILED" });
        expect((await server.done("GET", "/admin/sync-queue/held")).total).toBe(1);
        const { items } = await server.done("GET", "/admin/queue/failed");
        expect(items[0].failedReason).toContain("LOGIN");
      } finally {
        chmodSync(server.nasFolder, 0o755);
      }
      await server.done("POST", "/admin/queue/retry-all");
      await server.done("POST", "/admin/queue/resume");
      await server.synced();
      expect(await server.done("GET", "/admin/queue/status")).toMatchObject({ failed: 0, completed: 7 });
    });
  });
});
