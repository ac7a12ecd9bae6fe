import { newId, type Tx } from "@andon/engine";

export type LogLevel = "info" | "warning" | "error";

export interface LogLine {
  readonly at: number;
  readonly type: string | null;
  readonly level: LogLevel;
  readonly message: string;
}

const LONGEST_MESSAGE = 2_000;

/** Writes a line of a task's log. */
export async function writeLog(tx: Tx, taskId: string, { at, type, level, message }: LogLine): Promise<void> {
  const shown = message.slice(0, LONGEST_MESSAGE).replaceAll("\u0000", "").toWellFormed();
  await tx.query(
    "insert into task_log (task_id, id, at, type, level, message) values ($1, $2, $3, $4, $5, $6)",
    [taskId, newId(at), at, type, level, shown],
  );
}
