import type { Tx } from "@andon/engine";
import { addUrls } from "../images/image-rows.ts";
import { type StudioContext, TASK_QUEUE } from "../studio-context.ts";
import { logText } from "./log-lines.ts";
import { writeLog } from "./task-log.ts";
import type { TaskRow } from "./task-rows.ts";
import { tally } from "./task-tally.ts";

export type NewTask = Pick<
  TaskRow,
  | "tenantId"
  | "organizationId"
  | "userId"
  | "title"
  | "prompt"
  | "script"
  | "language"
  | "imageSource"
  | "speech"
  | "priority"
  | "scheduledTime"
> & { readonly images: readonly string[]; readonly traceId: string };

/** Makes a task: its rows and its job in the engine, in one transaction. */
export async function createTask(
  tx: Tx,
  { queue, phases, settings }: Pick<StudioContext, "queue" | "phases" | "settings">,
  task: NewTask,
  now: number,
): Promise<{ taskId: string; type: string; status: "waiting" }> {
  const { tenantId, organizationId, title, scheduledTime, priority } = task;
  const { id: taskId } = await queue(TASK_QUEUE).add(
    { title },
    {
      tx,
      tenant: tenantId,
      organization: organizationId ?? undefined,
      name: "task",
      priority,
      traceId: task.traceId,
      ...(scheduledTime > now ? { runAt: scheduledTime } : {}),
    },
  );
  const type = phases[0]?.name as string;
  await tx.query(
    `insert into task (task_id, tenant_id, organization_id, user_id, title, prompt, script, language, image_source, speech, priority,
       type, state, retry_count, max_retries, images_changed, scheduled_time, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'open', 0, $13, 0, $14, $15)`,
    [
      taskId,
      tenantId,
      organizationId,
      task.userId,
      title,
      task.prompt,
      task.script,
      task.language,
      task.imageSource,
      task.speech ? 1 : 0,
      priority,
      type,
      settings.maxRetries,
      scheduledTime,
      now,
    ],
  );
  await tally(tx, { tenantId, organizationId, type, state: "open" }, 1, now);
  await tx.query("insert into task_schedule (task_id, scheduled_time) values ($1, $2)", [
    taskId,
    scheduledTime,
  ]);
  if (task.images.length > 0) await addUrls(tx, taskId, task.images, now);
  await writeLog(tx, taskId, {
    at: now,
    type: null,
    level: "info",
    ...logText("CREATED", { user: task.userId }),
  });
  return { taskId, type, status: "waiting" };
}
