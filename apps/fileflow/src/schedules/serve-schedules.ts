import { Conditions, pageOfRows, type ServeAll } from "@andon/app";
import { AndonError } from "@andon/contract";
import { newId, type StoreTx } from "@andon/engine";
import type { FILEFLOW_ROUTES } from "../contract/routes.ts";
import {
  EXECUTION_QUEUE,
  type FileflowContext,
  SCHEDULE_QUEUE,
  type Scope,
  scopeOf,
} from "../fileflow-context.ts";
import { createExecutions } from "../ingest/create-executions.ts";
import { newRun, type SchedulePayload } from "./run-schedule.ts";
import {
  engineName,
  findSchedule,
  nextRuns,
  SCHEDULE_COLUMNS,
  type ScheduleRow,
  shownSchedule,
} from "./schedule-rows.ts";

type Serve = ServeAll<typeof FILEFLOW_ROUTES>["pipelineSchedules"];
type Content = Omit<ScheduleRow, "createdBy" | "createdAt" | "nextExecutionAt" | "lastExecutionAt">;

/** Schedules: a row of this app, and one of the engine, which fires it. Both are written in one transaction. */
export function serveSchedules(context: FileflowContext): Serve {
  const { andon, pipelines } = context;
  const { store } = andon;
  const find = (scope: Scope, id: string) => findSchedule(store, scope, id);
  return {
    async add(call) {
      const { tenantId, organizationId, input, isActive, ...given } = call.body;
      pipelines.mustFind(given.pipelineCode);
      const owner = ownerOf(scopeOf(call), tenantId, organizationId);
      // Validates the expression and the time zone before anything is stored.
      await andon.schedules.preview({ cron: given.cron, timeZone: given.timeZone }, 1);
      const row: Content = {
        id: newId(store.clock.now()),
        ...owner,
        ...given,
        isActive: isActive ? 1 : 0,
        inputBucket: input?.bucket ?? null,
        inputPrefix: input?.prefix ?? null,
      };
      const { actor } = call.principal;
      await store.transaction("schedule-add", async (tx) => {
        await tx.query(
          `insert into fileflow_schedules (id, tenant_id, organization_id, pipeline_code, cron, time_zone, is_active, missed, overlap,
             input_bucket, input_prefix, created_by, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
          [
            row.id,
            row.tenantId,
            row.organizationId,
            row.pipelineCode,
            row.cron,
            row.timeZone,
            row.isActive,
            row.missed,
            row.overlap,
            row.inputBucket,
            row.inputPrefix,
            actor,
            tx.now(),
          ],
        );
        await putInEngine(context, tx, row, { actor });
      });
      return shownSchedule(andon, await find(scopeOf(call), row.id));
    },
    async list(call) {
      const conditions = new Conditions().within(scopeOf(call), "s");
      const found = await pageOfRows<ScheduleRow, ScheduleRow>(
        store,
        { columns: SCHEDULE_COLUMNS, from: "from pipeline_schedules s", order: "s.id desc" },
        conditions,
        call.query,
        (row) => row,
      );
      return { ...found, items: await Promise.all(found.items.map((row) => shownSchedule(andon, row))) };
    },
    show: async (call) => shownSchedule(andon, await find(scopeOf(call), call.params.id)),
    async preview(call) {
      const row = await find(scopeOf(call), call.params.id);
      return { timeZone: row.timeZone, nextRuns: await nextRuns(andon, row, call.query.count) };
    },
    async change(call) {
      const { reason, input, isActive, ...given } = call.body;
      const before = await find(scopeOf(call), call.params.id);
      if (given.pipelineCode !== undefined) pipelines.mustFind(given.pipelineCode);
      const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const row: Content = {
        ...before,
        ...changed,
        isActive: isActive === undefined ? before.isActive : isActive ? 1 : 0,
        ...(input === undefined
          ? {}
          : { inputBucket: input?.bucket ?? null, inputPrefix: input?.prefix ?? null }),
      };
      await andon.schedules.preview({ cron: row.cron, timeZone: row.timeZone }, 1);
      await store.transaction("schedule-change", async (tx) => {
        await tx.query(
          `update fileflow_schedules set pipeline_code = $2, cron = $3, time_zone = $4, is_active = $5, missed = $6, overlap = $7,
             input_bucket = $8, input_prefix = $9 where id = $1`,
          [
            row.id,
            row.pipelineCode,
            row.cron,
            row.timeZone,
            row.isActive,
            row.missed,
            row.overlap,
            row.inputBucket,
            row.inputPrefix,
          ],
        );
        await putInEngine(context, tx, row, { actor: call.principal.actor, reason });
      });
      return shownSchedule(andon, await find(scopeOf(call), row.id));
    },
    async remove(call) {
      const row = await find(scopeOf(call), call.params.id);
      await store.transaction("schedule-remove", async (tx) => {
        await tx.query("delete from fileflow_schedules where id = $1", [row.id]);
        await andon.schedules.remove(engineName(row.id), { actor: call.principal.actor }, { tx });
      });
      return { success: true, id: row.id };
    },
    async run(call) {
      const row = await find(scopeOf(call), call.params.id);
      pipelines.mustFind(row.pipelineCode);
      const { actor } = call.principal;
      const executionId = await store.transaction("schedule-run-now", async (tx) => {
        const manual = `MANUAL#${newId(tx.now())}`;
        await recordRun(tx, row, actor, call.body.reason);
        if (row.inputBucket === null) {
          const run = newRun(context, row, manual, "MANUAL", null);
          const [made] = await createExecutions(tx, context.queue(EXECUTION_QUEUE), pipelines, [run]);
          return made?.executionId ?? null;
        }
        const payload: SchedulePayload = { scheduleId: row.id, manual };
        const { tenantId: tenant, organizationId: organization } = row;
        await context.queue(SCHEDULE_QUEUE).add(payload, { tx, key: row.id, tenant, organization });
        return null;
      });
      return { accepted: true, executionId };
    },
  };
}

async function recordRun(
  tx: StoreTx,
  row: ScheduleRow,
  actor: string,
  reason: string | undefined,
): Promise<void> {
  await tx.addAudit({
    actor,
    action: "schedule.run",
    target: `schedule:${engineName(row.id)}`,
    reason: reason?.trim() || null,
    tenant: row.tenantId,
    organization: row.organizationId,
    before: null,
    after: { pipelineCode: row.pipelineCode },
  });
}

async function putInEngine(
  { andon }: FileflowContext,
  tx: StoreTx,
  row: Content,
  decision: { actor: string; reason?: string | undefined },
): Promise<void> {
  const { id, cron, timeZone, missed, tenantId: tenant, organizationId: organization } = row;
  const payload: SchedulePayload = { scheduleId: id };
  await andon.schedules.put(
    {
      name: engineName(id),
      queue: SCHEDULE_QUEUE,
      cron,
      timeZone,
      missed,
      payload,
      job: { key: id, tenant, organization, name: "schedule" },
      isActive: Number(row.isActive) === 1,
    },
    decision,
    { tx },
  );
}

function ownerOf(scope: Scope, tenantId: string | undefined, organizationId: string | undefined) {
  if (tenantId !== undefined && scope.tenantId !== null && tenantId !== scope.tenantId)
    throw new AndonError("PP-403-SCOPE", { given: tenantId });
  if (
    organizationId !== undefined &&
    scope.organizationId !== null &&
    organizationId !== scope.organizationId
  )
    throw new AndonError("PP-403-SCOPE", { given: organizationId });
  return {
    tenantId: tenantId ?? scope.tenantId ?? "default",
    organizationId: organizationId ?? scope.organizationId ?? "default",
  };
}
