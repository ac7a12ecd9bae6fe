import type { OperationRun } from "./operation-run.ts";
import { hasBytes } from "./same-bytes.ts";
import { setAside } from "./set-aside.ts";

/**
 * Takes a file's bytes from the NAS for good, if they are still these very bytes. A size that is right proves nothing where
 * nothing can be brought back, so all of them are read. What somebody put in their place is not ours to destroy: it is
 * set aside, where a person finds it.
 */
export async function removeBytes(run: OperationRun, path: string): Promise<void> {
  const { parts, job, signal, reading } = run;
  if (!(await hasBytes(parts.nas, path, job.payload, reading))) {
    await setAside(run, path);
    return;
  }
  await parts.nas.remove(path, signal);
}
