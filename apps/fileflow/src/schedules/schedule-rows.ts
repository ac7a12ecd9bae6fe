import { Conditions } from "@andon/app";
import type { MissedPolicy } from "@andon/contract";
import { AndonError, iso, isoOrNull } from "@andon/contract";
import type { Andon, Store, Tx } from "@andon/engine";
import type { OverlapPolicy } from "../contract/states.ts";
import type { Scope } from "../fileflow-context.ts";

export interface ScheduleRow {
  readonly id: string;
  readonly tenantId: string;
  readonly organizationId: string;
  readonly pipelineCode: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly isActive: number;
  readonly missed: MissedPolicy;
  readonly overlap: OverlapPolicy;
  readonly inputBucket: string | null;
  readonly inputPrefix: string | null;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly nextExecutionAt: number | null;
  readonly lastExecutionAt: number | null;
}

export const SCHEDULE_COLUMNS = `s.id, s.tenant_id as "tenantId", s.organization_id as "organizationId",
  s.pipeline_code as "pipelineCode", s.cron_expression as cron, s.time_zone as "timeZone", s.is_active as "isActive", s.missed,
  s.overlap, s.input_bucket as "inputBucket", s.input_prefix as "inputPrefix", s.created_by as "createdBy",
  s.created_at as "createdAt", s.next_execution_at as "nextExecutionAt", s.last_execution_at as "lastExecutionAt"`;

/** The engine's name of a schedule of this app. */
export const engineName = (id: string) => `fileflow:${id}`;

export async function findSchedule(store: Store | Tx, scope: Scope, id: string): Promise<ScheduleRow> {
  const conditions = new Conditions().add("s.id = ?", id).within(scope, "s");
  const [row] = await store.query<ScheduleRow>(
    `select ${SCHEDULE_COLUMNS} from pipeline_schedules s ${conditions.where}`,
    conditions.params,
  );
  if (!row) throw new AndonError("SCHEDULE_NOT_FOUND", { schedule: id });
  return row;
}

const SHOWN_RUNS = 5;

export async function shownSchedule(andon: Andon, row: ScheduleRow) {
  const isActive = Number(row.isActive) === 1;
  return {
    id: row.id,
    pipelineCode: row.pipelineCode,
    cron: row.cron,
    timeZone: row.timeZone,
    isActive,
    missed: row.missed,
    overlap: row.overlap,
    input: row.inputBucket === null ? null : { bucket: row.inputBucket, prefix: row.inputPrefix ?? "" },
    tenantId: row.tenantId,
    organizationId: row.organizationId,
    nextExecutionAt: isoOrNull(row.nextExecutionAt === null ? null : Number(row.nextExecutionAt)),
    lastExecutionAt: isoOrNull(row.lastExecutionAt === null ? null : Number(row.lastExecutionAt)),
    nextRuns: isActive ? await nextRuns(andon, row, SHOWN_RUNS) : [],
    createdBy: row.createdBy,
    createdAt: iso(Number(row.createdAt)),
  };
}

export async function nextRuns(
  andon: Andon,
  { cron, timeZone, lastExecutionAt }: ScheduleRow,
  count: number,
): Promise<string[]> {
  const lastDueAt = lastExecutionAt === null ? null : Number(lastExecutionAt);
  return (await andon.schedules.preview({ cron, timeZone, lastDueAt }, count)).map((at) => iso(at));
}
