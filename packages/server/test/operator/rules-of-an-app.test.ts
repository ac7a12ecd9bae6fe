import { defineApp } from "@andon/app";
import { AndonError, type Job } from "@andon/contract";
import type { Handler } from "@andon/engine";
import { expect } from "vitest";
import { describeServers, type TestServer, until } from "../harness.ts";

const refusal = ({ id, state }: Job, event: string) =>
  new AndonError("JOB_STATE", { job: id, state, event, allowed: "done" });

/** Only jobs with an even number may be retried, no job may be deleted, and the app applies a skip itself. */
function ruledApp(skipped: string[]) {
  return defineApp({
    name: "ruled",
    queues: ({ queue }) => ({
      ruled: {
        rules: { attempts: 1, onFinalFailure: "hold-lane" },
        handler: (async () => {
          throw new Error("no");
        }) as Handler<never>,
        mayDecide: (job, decision) => {
          if (decision === "delete" || (decision === "retry" && (job.payload as number) % 2 === 1))
            throw refusal(job, decision);
        },
        decide: {
          skip: async (job, decision) => {
            skipped.push(job.id);
            await queue("ruled").deleteJob(job.id, decision, { noun: "ruled" });
            return {};
          },
        },
      },
    }),
  });
}

async function failedJobs(server: TestServer, count: number): Promise<string[]> {
  const { queue } = server.site.queues.get("ruled") ?? {};
  const added = (await queue?.addMany(Array.from({ length: count }, (_, n) => n))) ?? [];
  await until(async () => (await queue?.status())?.counts.failed === count);
  return added.map(({ id }) => id);
}

const skipped: string[] = [];

describeServers("rules of an app", (it) => {
  it("limit the actions that the API lists, and every decision about one job", {
    apps: [ruledApp(skipped)],
  }, async (server) => {
    const [even = "", odd = ""] = await failedJobs(server, 2);
    const client = server.client();
    expect((await client.jobs.show({ id: even })).actions).toEqual(["retry", "skip"]);
    expect((await client.jobs.show({ id: odd })).actions).toEqual(["skip"]);
    const retried = await server.refused("POST", `/admin/jobs/${odd}/retry`);
    const deleted = await server.refused("DELETE", `/admin/queues/ruled/jobs/${even}?reason=x`);
    for (const { status, error } of [retried, deleted]) expect([status, error]).toEqual([409, "JOB_STATE"]);
  });

  it("limit retry-all, skip-all and plans too: refused jobs are left out and listed", {
    apps: [ruledApp(skipped)],
  }, async (server) => {
    const client = server.client();
    const ids = await failedJobs(server, 6);
    await client.queues.pause({ queue: "ruled", reason: "look" });
    const plan = await client.plans.create({ action: "retry", queue: "ruled", ids: ids.slice(0, 2) });
    expect(await client.plans.apply({ id: plan.id })).toMatchObject({
      appliedCount: 1,
      leftOut: { count: 1, jobs: [ids[1]] },
    });
    expect(await client.queues.retryAll({ queue: "ruled" })).toMatchObject({ retriedCount: 2 });
    const operations = await client.operations.list({ queue: "ruled" });
    expect(operations.items[0]).toMatchObject({ action: "retry-all", done: 2, total: 5 });
    expect(operations.items[0]?.leftOut.count).toBe(3);
    skipped.length = 0;
    const all = await client.queues.skipAllAndResume({ queue: "ruled", reason: "enough" });
    expect(all).toMatchObject({ skippedCount: 3 });
    expect([...skipped].sort()).toEqual([ids[1], ids[3], ids[5]].sort());
    // One audit row for each, with the app's own word.
    const { items } = await client.audit.list({ limit: 100 });
    const actions = items.map(({ action }) => action);
    expect(actions.filter((action) => action === "ruled.delete")).toHaveLength(3);
    expect(actions).not.toContain("job.skip");
  });
});
