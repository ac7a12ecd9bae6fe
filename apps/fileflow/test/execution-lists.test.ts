import type { StageProgram } from "@andon/fileflow";
import { expect } from "vitest";
import { describeFileflow, type FileflowServer, until } from "./harness.ts";
import { Gate, noop, stagesOf } from "./programs.ts";

const MORE_THAN_COUNTED = 10_005;
let gate = new Gate();
const failing: StageProgram = {
  run: async () => {
    throw new Error("not now");
  },
};

const setUp = () => {
  gate = new Gate();
  return {
    app: { programs: { noop, failing, gate: gate.program } },
    settings: {
      fileflow: {
        perWorker: 2,
        pipelines: [
          { code: "default", stages: stagesOf("noop") },
          { code: "gated", stages: stagesOf("gate") },
          { code: "later", stages: [{ use: "noop" }, { use: "gate", concurrency: 1 }] },
          {
            code: "backing-off",
            stages: [{ use: "failing", retry: { type: "fixed", max: 3, delay: "1h" } }],
          },
        ],
      },
    } as never,
  };
};

const listed = async (server: FileflowServer, query: string, token?: string) => {
  const found = await server.done("GET", `/pipelines/executions?limit=100&${query}`, token ? { token } : {});
  expect(found.total).toBe(found.items.length);
  return found.items.map(({ executionId }: { executionId: string }) => executionId).sort();
};

describeFileflow("lists of executions", (it) => {
  it(
    "have each execution under its status, whether its row or the engine knows the status",
    setUp,
    async (server) => {
      const of = { tenantId: "acme", organizationId: 7 };
      const done = await server.execute({ ...of });
      await server.inStatus(done, "COMPLETED");
      // In back-off after a failed attempt: RUNNING, without a completed stage.
      const backingOff = await server.execute({ ...of, pipelineCode: "backing-off" });
      await until(async () => (await server.execution(backingOff)).stages[0]?.attempts === 1);
      await until(async () => (await server.execution(backingOff)).stages[0]?.status === "STARTED");
      const gated = await server.execute({ ...of, pipelineCode: "gated" });
      const first = await server.execute({ ...of, pipelineCode: "later" });
      await until(async () => gate.entered.length === 2);
      // Both places are taken.
      const waiting = await server.execute({ ...of, pipelineCode: "gated" });
      const foreign = await server.execute({ tenantId: "other", organizationId: 7, pipelineCode: "gated" });
      const key = await server.key(["pipeline.read"], { tenantId: "acme", organizationId: "7" });
      const expected = {
        PENDING: [waiting],
        RUNNING: [backingOff, gated, first].sort(),
        COMPLETED: [done],
        FAILED: [],
        CANCELLED: [],
        TIMEOUT: [],
      };
      for (const [status, ids] of Object.entries(expected)) {
        expect(await listed(server, `status=${status}&tenantId=acme`), status).toEqual(ids);
        expect(await listed(server, `status=${status}`, key), status).toEqual(ids);
        expect(await listed(server, `status=${status}&orgId=7&tenantId=acme`), status).toEqual(ids);
      }
      expect(await listed(server, "status=PENDING&orgId=7")).toEqual([waiting, foreign].sort());
      expect(await listed(server, "status=RUNNING&pipelineCode=later")).toEqual([first]);
      const scoped = await server.done("GET", "/pipelines/executions/counts", { token: key });
      expect(scoped.counts).toMatchObject({ PENDING: 1, RUNNING: 3, COMPLETED: 1, FAILED: 0 });
      const all = await server.done("GET", "/pipelines/executions/counts");
      expect(all).toMatchObject({ counts: { PENDING: 2, RUNNING: 3, COMPLETED: 1 }, more: [] });
      const pipelines = (await server.done("GET", "/pipelines", { token: key })).items;
      const open = Object.fromEntries(
        pipelines.map(({ code, executions }: { code: string; executions: unknown }) => [code, executions]),
      );
      expect(open).toMatchObject({
        gated: { pending: 1, running: 1, more: false },
        later: { pending: 0, running: 1 },
        "backing-off": { pending: 0, running: 1 },
      });
      gate.open();
    },
    60_000,
  );

  it("are filtered by time, trigger and file, newest first", setUp, async (server) => {
    const early = await server.execute({ fileId: "f-1" });
    await server.inStatus(early, "COMPLETED");
    const { createdAt } = await server.execution(early);
    const border = new Date(Date.parse(createdAt) + 1).toISOString();
    await until(async () => Date.now() > Date.parse(border) + 1);
    const late = await server.execute({ fileId: "f-2" });
    expect(await listed(server, `to=${border}`)).toEqual([early]);
    expect(await listed(server, `from=${border}`)).toEqual([late]);
    expect(await listed(server, "fileId=f-2")).toEqual([late]);
    expect(await listed(server, "triggerType=RETRY")).toEqual([]);
    expect(await listed(server, "triggerType=UPLOAD&pipelineCode=default")).toEqual([early, late].sort());
  });

  it("stop counting the executions of one tenant at the limit, and report that", setUp, async (server) => {
    await server.site.andon.store.transaction("test", (tx) =>
      tx.query(
        `insert into fileflow_executions (id, tenant_id, organization_id, file_id, pipeline_code, trigger_type, idempotency_key,
           trace_id, priority, ended_status, created_at)
         with recursive n(value) as (select 1 union all select value + 1 from n where value < ${MORE_THAN_COUNTED})
         select 'made-' || value, 'many', 'o', 'f', 'default', 'UPLOAD', 'k' || value, 't', 0, 'COMPLETED', 1 from n`,
      ),
    );
    const key = await server.key(["pipeline.read"], { tenantId: "many" });
    const found = await server.done("GET", "/pipelines/executions/counts", { token: key });
    expect(found).toMatchObject({ counts: { COMPLETED: 10_000, FAILED: 0 }, more: ["COMPLETED"] });
  });
});
