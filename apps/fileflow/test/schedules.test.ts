import { expect } from "vitest";
import { describeFileflow, type FileflowServer, until } from "./harness.ts";
import { defaultPipeline, Gate, noop, stagesOf } from "./programs.ts";

const setUp = { app: { programs: { noop } }, settings: defaultPipeline(stagesOf("noop")) };
const NIGHTLY = { pipelineCode: "default", cron: "30 2 * * *", timeZone: "America/New_York" };

const make = (server: FileflowServer, more: Record<string, unknown> = {}) =>
  server.done("POST", "/pipelines/schedules", { body: { ...NIGHTLY, ...more } });
const executions = async (server: FileflowServer, query = "") =>
  (await server.done("GET", `/pipelines/executions?limit=100${query}`)).items;

describeFileflow("schedules", (it) => {
  it("are created, shown, changed, paused and deleted", setUp, async (server) => {
    const made = await make(server, { organizationId: 5 });
    expect(made).toMatchObject({
      ...NIGHTLY,
      isActive: true,
      missed: "once",
      overlap: "skip",
      input: null,
      organizationId: "5",
    });
    expect(made.nextExecutionAt).toBe(made.nextRuns[0]);
    const preview = await server.done("GET", `/pipelines/schedules/${made.id}/preview`);
    expect(preview.nextRuns).toHaveLength(5);
    const rows = await server.rows<Record<string, unknown>>("select * from pipeline_schedules");
    expect(rows).toMatchObject([{ id: made.id, cron_expression: NIGHTLY.cron }]);
    const paused = await server.done("PATCH", `/pipelines/schedules/${made.id}`, {
      body: { isActive: false },
    });
    expect([paused.isActive, paused.nextExecutionAt]).toEqual([false, null]);
    expect(
      (await server.done("PATCH", `/pipelines/schedules/${made.id}`, { body: { isActive: true } }))
        .nextExecutionAt,
    ).toBe(made.nextExecutionAt);
    for (const bad of [{ cron: "61 * * * *" }, { timeZone: "Mars/Olympus" }, { pipelineCode: "nope" }])
      expect(
        (await server.ask("POST", "/pipelines/schedules", { body: { ...NIGHTLY, ...bad } })).status,
      ).toBe(400);
    await server.done("DELETE", `/pipelines/schedules/${made.id}`);
    expect((await server.ask("GET", `/pipelines/schedules/${made.id}`)).body.error).toBe(
      "SCHEDULE_NOT_FOUND",
    );
    expect((await server.done("GET", "/pipelines/schedules")).total).toBe(0);
  });

  it(
    "run at once on request: one execution with the trigger MANUAL per object below their input",
    setUp,
    async (server) => {
      const plain = await make(server);
      const { executionId } = await server.done("POST", `/pipelines/schedules/${plain.id}/run`, {
        body: { reason: "now" },
      });
      expect(await server.inStatus(executionId, "COMPLETED")).toMatchObject({
        triggerType: "MANUAL",
        fileId: `schedule:${plain.id}`,
      });
      for (const key of ["in/a.txt", "in/deep/b.txt", "out/c.txt"]) server.putObject("docs", key, "x");
      const over = await make(server, { input: { bucket: "docs", prefix: "in/" } });
      await server.done("POST", `/pipelines/schedules/${over.id}/run`);
      await until(
        async () => (await executions(server, "&triggerType=MANUAL&status=COMPLETED")).length === 3,
      );
      const keys = (await executions(server)).map(({ key }: { key: string | null }) => key);
      expect(keys.sort()).toEqual(["in/a.txt", "in/deep/b.txt", null]);
    },
  );

  it(
    "fire each due time once, with its key, and skip overlapping ones",
    () => {
      gate = new Gate();
      return { app: { programs: { gate: gate.program } }, settings: defaultPipeline(stagesOf("gate")) };
    },
    async (server) => {
      const { id } = await make(server, { cron: "* * * * * *", timeZone: "Asia/Seoul" });
      await until(async () => gate.entered.length === 1);
      const fired = async () =>
        (await server.rows<{ at: number }>("select last_execution_at as at from pipeline_schedules"))[0]?.at;
      const first = Number(await fired());
      await until(async () => Number(await fired()) >= first + 2_000);
      expect(await executions(server)).toHaveLength(1);
      gate.open();
      await until(async () => (await executions(server)).length >= 2);
      await server.done("PATCH", `/pipelines/schedules/${id}`, { body: { isActive: false } });
      const rows = await server.rows<{ key: string; type: string }>(
        "select idempotency_key as key, trigger_type as type from fileflow_executions",
      );
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      for (const { key, type } of rows) {
        expect(type).toBe("SCHEDULE");
        expect(key).toMatch(new RegExp(`^SCHEDULE#${id}#\\d{4}-\\d\\d-\\d\\dT[\\d:]+\\.000Z$`));
      }
    },
  );
});

let gate = new Gate();
