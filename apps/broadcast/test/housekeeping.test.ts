import { expect } from "vitest";
import { forgetPurgedJobs } from "../src/bulk-jobs/forget-bulk-job.ts";
import { dropDeletedChannels } from "../src/channels/drop-deleted.ts";
import { describeBroadcast, SLOW, until } from "./harness.ts";

describeBroadcast("housekeeping", (it) => {
  it("keeps rows of deleted channels only while an unfinished audience needs them", {}, async (server) => {
    const { store } = server.site.andon;
    const gone = async () => {
      await dropDeletedChannels(store);
      return (await server.rows("select id from broadcast_channels where deleted_version is not null"))
        .length;
    };
    await server.addChannels(40);
    const id = await server.makeJob(SLOW);
    await server.processed(id, 10);
    await server.done("DELETE", "/channels/c0040");
    await server.done("POST", `/bulk-jobs/${id}/abort`);
    await server.inState(id, "ABORTED");
    expect(await gone()).toBe(1);
    await server.done("POST", "/channels", { body: [{ id: "late" }] });
    await server.done("DELETE", "/channels/late");
    expect(await gone()).toBe(1);
    await server.done("POST", `/bulk-jobs/${id}/resume`);
    await server.inState(id, "COMPLETED");
    expect(await server.notified(id)).toContain("c0040");
    expect(await gone()).toBe(0);
  });

  it("drops a bulk job's row when the engine has purged its job, and keeps its notifications", {
    settings: { broadcast: { keep: 0 } },
  }, async (server) => {
    await server.addChannels(3);
    const id = await server.makeJob();
    await server.inState(id, "COMPLETED");
    await server.done("POST", "/admin/queues/broadcast/purge");
    expect((await server.ask("GET", `/bulk-jobs/${id}`)).status).toBe(404);
    await forgetPurgedJobs(server.site.andon.store);
    expect(await server.rows("select id from broadcast_jobs")).toEqual([]);
    expect((await server.done("GET", `/notifications?jobId=${id}`)).total).toBe(3);
  });

  it("slows jobs down while the database is slow, and shows that in their state", {
    settings: { broadcast: { maxCommitMs: 0 } },
  }, async (server) => {
    await server.addChannels(400);
    const id = await server.makeJob(SLOW);
    const why = () => server.done("GET", `/admin/jobs/${id}/why`);
    await until(async () => (await why()).rule === "job.slowed");
    expect((await why()).facts.limit).toBe(0);
    expect((await server.job(id)).slowed.limitMs).toBe(0);
    await server.done("POST", `/bulk-jobs/${id}/abort`);
    expect((await server.inState(id, "ABORTED")).slowed).toBe(undefined);
  });

  it("limits the rate of all jobs together", {
    settings: { broadcast: { maxPerSecond: 100 } },
  }, async (server) => {
    await server.addChannels(60);
    const began = Date.now();
    const ids = [
      await server.makeJob({ chunkSize: 10 }),
      await server.makeJob({ chunkSize: 10, category: "offers" }),
    ];
    for (const id of ids) await server.inState(id, "COMPLETED");
    // 120 recipients at 100 per second; a slow machine takes longer, never less.
    expect(Date.now() - began).toBeGreaterThan(800);
  });
});
