import type { OperationRun } from "./operation-run.ts";
import { isAnothers } from "./path-owners.ts";
import { pruneFolders } from "./prune-folders.ts";
import { hasBytes } from "./same-bytes.ts";
import { setAside } from "./set-aside.ts";

type Step = Pick<OperationRun, "parts" | "job" | "reading">;

/**
 * Ends a move that a person has done half of: these very bytes lie at the target and still where they were, and neither
 * place is another file's. The old ones go; answers whether they did.
 *
 * Two paths may be one file (a folder that is mounted twice), and taking one away would take both. So the old one is set
 * aside first, and destroyed only when the target is seen without it. After a crash in between, the bytes are found at
 * the target or come from the cache, and what was set aside goes with its time.
 */
export async function endCopyByHand(step: Step, from: string, target: string): Promise<boolean> {
  const { parts, job, reading } = step;
  const { nas } = parts;
  const { tenantId, size } = job.payload;
  for (const path of [from, target]) {
    if (await isAnothers(parts.andon.store, path, job.payload.fileId)) return false;
    if (!(await hasBytes(nas, path, job.payload, reading))) return false;
  }
  reading.signal?.throwIfAborted();
  const aside = await setAside(step, from);
  if (aside === undefined) return true;
  if (await nas.stat(target)) await nas.remove(aside, reading.signal);
  else await nas.move(aside, target, { size }, reading.signal);
  await pruneFolders(nas, tenantId, aside);
  return true;
}
