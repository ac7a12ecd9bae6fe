import type { Tx } from "@andon/engine";
import { forgetIfDeleted } from "./forget-deleted.ts";
import { bytesAt, type NasObject, setStatus } from "./nas-object.ts";
import type { OperationRun } from "./operation-run.ts";
import { isRightPlace } from "./right-place.ts";

/**
 * Writes down where an operation brought the bytes. That is the file's own place, or on the way there, unless a later
 * operation of the file was given up meanwhile. Whoever gives one up leaves the object as ERROR, so a first claim that
 * finds the object as it saw it needs no other look: one statement. A claim that came again asks where the file is now.
 */
export async function recordArrival(
  { parts, job, fence }: OperationRun,
  tx: Tx,
  seen: NasObject,
  target: string,
): Promise<void> {
  const { payload } = job;
  const now = parts.andon.store.clock.now();
  const isFresh = fence === 1 && seen.status !== "ERROR";
  if (isFresh && (await bytesAt(tx, payload, target, now, seen.status))) return;
  await bytesAt(tx, payload, target, now);
  if (await isRightPlace(tx, job, target)) return;
  await setStatus(tx, payload.fileId, "ERROR", now);
  await forgetIfDeleted(parts, tx, job);
}
