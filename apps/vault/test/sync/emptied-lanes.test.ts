import { expect } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky } from "./flaky-vault.ts";

describeFlaky("the lanes of a file and its paths", (it) => {
  it(
    "are removed with its last stored operation, and created again with the next",
    async ({ server, nas }) => {
      const gone = await server.upload({ name: "gone", bytes: "x" });
      const { fileId } = await server.upload({ name: "kept", bytes: "y" });
      await server.synced();
      await server.done("DELETE", `/files/${gone.fileId}?permanent=true`);
      await server.synced();
      const queue = server.site.queues.get("nas-sync")?.queue;
      await until(async () => {
        await queue?.purge();
        return (await server.rows("select 1 as one from andon_lanes where queue = 'nas-sync'")).length === 0;
      });
      expect(await server.done("GET", `/files/${fileId}/sync-status`)).toMatchObject({ queueStatus: "IDLE" });
      const { queuePosition } = await server.done("PUT", `/files/${fileId}/rename`, {
        body: { newName: "renamed" },
      });
      expect(queuePosition).toBe(1);
      await server.synced();
      expect((await nas.stat("renamed"))?.kind).toBe("file");
    },
    { keep: { done: 1 } },
  );
});
