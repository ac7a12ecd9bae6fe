import type { Language } from "@andon/contract";
import { newId, type Tx } from "@andon/engine";
import { isLogCode, type LogText, logMessage } from "./log-lines.ts";

export type LogLevel = "info" | "warning" | "error";

export interface LogLine extends LogText {
  readonly at: number;
  readonly type: string | null;
  readonly level: LogLevel;
}

const LONGEST_MESSAGE = 2_000;

/** Writes a line of a task's log. Its Korean text is for the view `task_queue`, whose readers name no language. */
export async function writeLog(tx: Tx, taskId: string, line: LogLine): Promise<void> {
  const { at, type, level, code } = line;
  const details = storable(line.details);
  await tx.query(
    "insert into task_log (task_id, id, at, type, level, message, code, details) values ($1, $2, $3, $4, $5, $6, $7, $8)",
    [taskId, newId(at), at, type, level, logMessage({ code, details }, "ko"), code, JSON.stringify(details)],
  );
}

/** Shortens the texts and removes characters that a database refuses. */
function storable(details: LogText["details"]): LogText["details"] {
  const cut = (_name: string, value: unknown) =>
    typeof value === "string"
      ? value.slice(0, LONGEST_MESSAGE).replaceAll("\u0000", "").toWellFormed()
      : value;
  return JSON.parse(JSON.stringify(details, cut)) as LogText["details"];
}

/** A line as it is stored. Those of earlier versions have no code. */
export interface StoredLine extends Omit<LogLine, "code" | "details"> {
  readonly message: string;
  readonly code: string | null;
  readonly details: string | null;
}

/** A stored line in the reader's language. */
export function shownLine({ at, type, level, message, code, details }: StoredLine, language: Language) {
  const isKnown = code !== null && details !== null && isLogCode(code);
  const shown = isKnown
    ? logMessage({ code, details: JSON.parse(details) as LogText["details"] }, language)
    : message;
  return { at, type, level, code, message: shown };
}
