import { parentPort, workerData } from "node:worker_threads";
import { type ErrorCode, isAndonError } from "@andon/contract/plain";
import { openSqlite } from "./driver.ts";
import { SyncSession } from "./session.ts";

/**
 * One statement with its parameters in order. Texts of the kind `own` are the store's; `callers` have `$1`
 * placeholders.
 */
export interface ThreadQuestion {
  readonly id: number;
  readonly kind: "own" | "callers";
  readonly text: string;
  readonly params: readonly unknown[];
}

export interface ThreadAnswer {
  readonly id: number;
  readonly rows?: unknown[];
  readonly error?: { message: string; code?: unknown; errcode?: unknown; andon?: ErrorCode };
}

/** How long a statement waits for a file that others keep locked. Only this thread waits. */
const LONGEST_WAIT_MS = 5_000;

const { path } = workerData as { path: string };
const connection = await openSqlite(path, { readOnly: true, waitMs: LONGEST_WAIT_MS });
connection.exec("pragma cache_size = -32768");
const session = new SyncSession(connection);

parentPort?.on("message", (question: ThreadQuestion) => parentPort?.postMessage(answerTo(question)));

function answerTo({ id, kind, text, params }: ThreadQuestion): ThreadAnswer {
  try {
    const rows = kind === "own" ? session.prepare(text).all(...params) : session.raw(text, params);
    return { id, rows };
  } catch (error) {
    const { message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
    if (isAndonError(error)) return { id, error: { message, andon: error.code as ErrorCode } };
    return { id, error: { message, code, ...(errcode === undefined ? {} : { errcode }) } };
  }
}
