import { trashPath } from "../nas/nas-path.ts";
import type { OperationRun } from "./operation-run.ts";

/**
 * Makes room for bytes that replace what somebody changed on the NAS: what lies there goes to the trash under the
 * operation's own id, where a person finds it, and nothing deletes it. A path that is free has been cleared before.
 */
export async function setAside({ parts, job, signal }: OperationRun, path: string): Promise<void> {
  const entry = await parts.nas.stat(path);
  if (entry?.kind !== "file") return;
  const { tenantId, fileName } = job.payload;
  await parts.nas.move(path, trashPath(tenantId, job.id, fileName), { size: entry.size }, signal);
}
