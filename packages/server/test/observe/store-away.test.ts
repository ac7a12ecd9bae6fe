import { startPostgres } from "@andon/testkit";
import { expect, test } from "vitest";
import { TestServer } from "../harness.ts";

test("every route answers STORE_UNAVAILABLE while the store is away", async () => {
  const postgres = await startPostgres();
  const server = await TestServer.start("sqlite", { store: postgres.url });
  try {
    expect((await server.ask("GET", "/admin/queues")).status).toBe(200);
    await postgres.stop();
    for (const [method, path] of [
      ["GET", "/admin/queues"],
      ["GET", "/admin/jobs"],
      ["POST", "/admin/queue/pause"],
    ] as const) {
      const { status, error, details } = await server.refused(method, path);
      expect([path, status, error]).toEqual([path, 503, "STORE_UNAVAILABLE"]);
      expect(JSON.stringify(details)).not.toContain("stack");
    }
    expect((await server.ask("GET", "/readyz")).status).toBe(503);
  } finally {
    await server.close();
    await postgres.stop();
  }
});
