import { Conditions } from "@andon/app";
import type { Store, Tx } from "@andon/engine";
import { StudioError } from "../contract/errors.ts";
import type { FilmLanguage, ImageSource, TaskStatus } from "../contract/states.ts";
import type { Scope } from "../studio-context.ts";

/** A task's own row. */
export interface TaskRow {
  readonly taskId: string;
  readonly tenantId: string;
  readonly organizationId: string | null;
  readonly userId: string;
  readonly title: string;
  readonly prompt: string | null;
  readonly script: string | null;
  readonly language: FilmLanguage;
  readonly imageSource: ImageSource;
  readonly speech: boolean;
  readonly priority: number;
  readonly type: string;
  readonly state: TaskState;
  readonly retryCount: number;
  readonly maxRetries: number;
  readonly elapsedTime: number | null;
  readonly scheduledTime: number;
  readonly createdAt: number;
}

/** `open`: the task continues by itself. Whether it is at work is known only to the engine. */
export type TaskState = "open" | "failed" | "completed" | "cancelled";

export const TASK_COLUMNS = `t.task_id as "taskId", t.tenant_id as "tenantId", t.organization_id as "organizationId",
  t.user_id as "userId", t.title, t.prompt, t.script, t.language, t.image_source as "imageSource", t.speech, t.priority, t.type, t.state,
  t.retry_count as "retryCount", t.max_retries as "maxRetries", t.elapsed_time as "elapsedTime",
  t.scheduled_time as "scheduledTime", t.created_at as "createdAt"`;

type Read = Omit<TaskRow, "speech"> & { speech: number };

const EVERYBODY: Scope = { tenantId: null, organizationId: null };

export async function findTask(store: Pick<Store, "query"> | Tx, scope: Scope, id: string): Promise<TaskRow> {
  const conditions = new Conditions().add("t.task_id = ?", id).within(scope, "t");
  const [row] = await store.query<Read>(
    `select ${TASK_COLUMNS} from task t ${conditions.where}`,
    conditions.params,
  );
  if (!row) throw new StudioError("TASK_NOT_FOUND");
  return { ...row, speech: Number(row.speech) === 1 };
}

/** Reads a task for the work on it, without a caller's scope. */
export function taskToWorkOn(store: Pick<Store, "query">, id: string): Promise<TaskRow> {
  return findTask(store, EVERYBODY, id);
}

export function statusOf(state: TaskState, isAtWork: boolean): TaskStatus {
  if (state !== "open") return state;
  return isAtWork ? "processing" : "waiting";
}

/** The state of a task in the view `task_queue`. */
export async function readTaskStatus(
  store: Pick<Store, "query">,
  id: string,
): Promise<{ taskId: string; type: string; status: TaskStatus }> {
  const [row] = await store.query<{ type: string; status: TaskStatus }>(
    "select type, status from task_queue where task_id = $1",
    [id],
  );
  if (!row) throw new StudioError("TASK_NOT_FOUND");
  return { taskId: id, ...row };
}
