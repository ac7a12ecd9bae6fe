import { Andon, bulk } from "@andon/engine";
import { openStore } from "@andon/store";
import { expect, onTestFinished, test } from "vitest";
import { TestServer, until } from "../harness.ts";

test("a bulk job shows its cursor, counts, throttle and receipt, with times in ISO 8601", async () => {
  const server = await TestServer.start("sqlite", { queues: { walks: {} } });
  const program = new Andon(await openStore(server.site.settings.store), { onError: () => {} });
  onTestFinished(async () => {
    await program.close();
    await server.close();
  });
  const queue = program.queue("walks");
  await queue.work(
    bulk<number>({
      settings: { chunkSize: 5, throttle: { pauseMs: "1h" } },
      total: () => 20,
      read: async (cursor, limit) => Array.from({ length: limit }, (_, n) => Number(cursor ?? 0) + n + 1),
      write: () => {},
      cursorOf: (row) => row,
    }),
  );
  const { id } = await queue.add("walk");
  const plain = await queue.add("later", { delay: "1h" });
  const show = async (job: string) => (await server.ask("GET", `/admin/jobs/${job}`)).body;
  await until(async () => (await queue.bulkState(id))?.processed === 5);
  expect(await show(id)).toMatchObject({
    state: "running",
    bulk: { cursor: 5, processed: 5, total: 20, throttle: { pauseMs: 3_600_000, maxPerSecond: null } },
    why: { rule: "job.throttled" },
  });
  expect((await show(plain.id)).bulk).toBeNull();
  await queue.abort(id, { actor: "lee", reason: "database load" });
  await until(async () => (await show(id)).state === "aborted");
  const { bulk: shown, audit } = await show(id);
  expect(shown.receipt).toMatchObject({ outcome: "aborted", cursor: 5, processed: 5, total: 20, by: "lee" });
  expect(new Date(shown.receipt.stoppedAt).toISOString()).toBe(shown.receipt.stoppedAt);
  expect(audit[0]).toMatchObject({ action: "job.aborted", after: { receipt: { cursor: 5, by: "lee" } } });
});
