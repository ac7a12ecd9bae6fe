import { AndonError } from "@andon/contract";
import type { Obstacle } from "../try-again.ts";

/**
 * Disk full, too many clients, disk failure: the server refused the statement, and nothing was done. The connection
 * stays usable.
 */
const REFUSED = new Set(["53100", "53300", "58030"]);
/** Another server behind the same address may accept writes now; only a new connection reaches it. */
const READ_ONLY = "25006";
/**
 * Out of memory, usually out of room for locks: the request was too large, and a smaller one may succeed. Waiting for
 * the server to return would never end.
 */
const NO_ROOM = "53200";

/** Deadlock, serialization failure, lock timeout. */
const OBSTACLES: Readonly<Record<string, Obstacle>> = {
  "40P01": "deadlock",
  "40001": "deadlock",
  "55P03": "locked",
};

export function obstacleOf(error: unknown): Obstacle | undefined {
  return isStalePlan(error) ? "stale-plan" : OBSTACLES[codeOf(error) ?? ""];
}

/**
 * Classes of errors that the written data causes: a value that does not fit (21, 22), a constraint (23, 44), a limit of
 * the server (54), an error raised by a trigger (P0). Other errors may be temporary, or our own.
 */
const OF_THE_VALUE = new Set(["21", "22", "23", "44", "54", "P0"]);

/**
 * The schema change altered the result type of a prepared statement, which was refused before it did anything. Messages
 * are in the server's language and the code is shared with other unsupported features, so the server's routine
 * identifies it.
 */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === "0A000" && routineOf(error) === "RevalidateCachedQuery";
}

/**
 * The text has more than one statement. A syntax error has the same code, but comes from another routine of the server.
 */
export function hasSeveralStatements(error: unknown): boolean {
  return codeOf(error) === "42601" && routineOf(error) === "exec_parse_message";
}

function routineOf(error: unknown): unknown {
  return (error as { routine?: unknown } | undefined)?.routine;
}

export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown })?.code;
  return typeof code === "string" ? code : undefined;
}

/** The connection that reported it must not be used again. */
export function endsConnection(error: unknown): boolean {
  return isLost(error) || codeOf(error) === READ_ONLY;
}

export function isAway(error: unknown): boolean {
  return endsConnection(error) || REFUSED.has(codeOf(error) ?? "");
}

export function hasNoRoom(error: unknown): boolean {
  return codeOf(error) === NO_ROOM;
}

export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  return code?.length === 5 && OF_THE_VALUE.has(code.slice(0, 2));
}

/** Errors without an SQLSTATE come from the socket; with class 08, 57P or 25P03 the server closed the connection. */
function isLost(error: unknown): boolean {
  if (error instanceof AndonError) return false;
  const code = codeOf(error);
  if (code === undefined) return /connection|terminated|timeout/i.test(String((error as Error)?.message));
  return code.startsWith("08") || code.startsWith("57P") || code === "25P03" || /^E[A-Z]+$/.test(code);
}
