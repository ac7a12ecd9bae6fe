import { Snooze } from "@andon/engine";
import type { EarlierOperations } from "./earlier-operations.ts";
import type { OperationRun } from "./operation-run.ts";

const SHORTEST_MS = 100;
const LONGEST_MS = 2_000;

/**
 * Lanes keep the order of operations that name the same path, but a name can also be a file's first and a folder's later:
 * `a` is trashed, a folder `a` is made, and `a/b` comes; or the other way round. Whoever came first must go first here too:
 * once the later one has made its folder or file, the earlier one could never be done any more. So an operation stands
 * back, uncharged, as long as an earlier one is unfinished that names a path above or below its target.
 *
 * One that waits for a person is not waited for: it could take for ever, and in serial mode nothing else would run.
 */
export async function standBackForEarlier(
  { job, fence }: OperationRun,
  earlier: EarlierOperations,
): Promise<void> {
  const { targetPath } = job.payload;
  if (targetPath === null || !(await earlier.isThere(job.id, targetPath))) return;
  throw new Snooze(Math.min(LONGEST_MS, SHORTEST_MS * 2 ** (fence - 1)));
}
