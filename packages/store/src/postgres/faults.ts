import { AndonError } from "@andon/contract";
import type { Obstacle } from "../try-again.ts";

/** Disk full, too many clients, disk failure: refused for the server's own sake, so not done. The connection goes on. */
const REFUSED = new Set(["53100", "53300", "58030"]);
/** Behind the same address another server may be the one that takes writes now: only a new connection finds it. */
const READ_ONLY = "25006";
/**
 * Out of memory, most often out of room for locks: what was asked was too much at once, and less of it may pass. To wait
 * for the server to come back would be to wait for ever.
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
 * Classes of errors that are the fault of what was to be written: a value that does not fit (21, 22), a rule of the tables
 * (23, 44), a limit of the server (54), an error that a trigger raised (P0). The others may pass, or are ours.
 */
const OF_THE_VALUE = new Set(["21", "22", "23", "44", "54", "P0"]);

/**
 * The schema has changed what a prepared statement returns, and it was refused before it did anything. Messages come in the
 * server's language, so the place in the server's code tells it from other things that are not supported.
 */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === "0A000" && routineOf(error) === "RevalidateCachedQuery";
}

/** The text has more than one statement. A mistake in its syntax has the same code and is found elsewhere. */
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

/** The connection it came from must not be used again. */
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

/** Errors without an SQLSTATE come from the socket; class 08, 57P and 25P03 are the server hanging up. */
function isLost(error: unknown): boolean {
  if (error instanceof AndonError) return false;
  const code = codeOf(error);
  if (code === undefined) return /connection|terminated|timeout/i.test(String((error as Error)?.message));
  return code.startsWith("08") || code.startsWith("57P") || code === "25P03" || /^E[A-Z]+$/.test(code);
}
