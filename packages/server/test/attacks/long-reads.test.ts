import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, test } from "vitest";
import { TestServer } from "../harness.ts";

const ROWS = 20_000;

describe("long reads with a viewer's key on SQLite", () => {
  test("do not block the event loop, and concurrent verify requests share one run", async () => {
    const server = await TestServer.start("sqlite", { queues: { mail: {} } });
    try {
      const { andon } = server.site;
      const row = { action: "note", reason: null, before: null, after: { text: "x".repeat(100) } };
      for (let done = 0; done < ROWS; done += 2_000)
        await andon.store.transaction("notes", async (tx) => {
          for (let n = 0; n < 2_000; n++)
            await tx.addAudit({ ...row, actor: `a${n % 7}`, target: "queue:mail" });
        });
      const token = await server.key(["queue.read"]);
      const paths = [
        "/admin/audit/verify?full=true",
        "/admin/audit?target=queue:mail&actor=a1&page=20",
        "/admin/audit?target=queue:mail&actor=a2&action=note",
        "/admin/jobs?text=nothing",
      ];
      const delay = monitorEventLoopDelay({ resolution: 5 });
      const begun = performance.now();
      delay.enable();
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, n) => server.ask("GET", paths[n % paths.length] as string, { token })),
      );
      delay.disable();
      const took = performance.now() - begun;
      expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
      expect(answers[0]?.body).toMatchObject({ holds: true, rows: expect.any(Number), checkedBefore: 0 });
      // If they ran in this thread, they would block it for their whole duration.
      expect(delay.max / 1e6).toBeLessThan(took / 2);
    } finally {
      await server.close();
    }
  });
});
