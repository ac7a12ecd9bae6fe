import type { Job } from "@andon/contract";
import type { JobWords } from "@andon/engine";
import { syncPayloadOf } from "./payload.ts";

/** An operation in the words of a sync event, if the job is one. Paths begin with `/` for people. */
export function syncWords(job: Job): JobWords | undefined {
  const payload = syncPayloadOf(job);
  if (!payload) return undefined;
  const { fileId, sourcePath, targetPath, fileName, size, mimeType } = payload;
  const shown = (path: string | null) => (path === null ? null : `/${path}`);
  return {
    aggregateType: "FILE",
    aggregateId: fileId,
    eventType: `NAS_SYNC_${job.name}`,
    name: fileName,
    data: {
      nasPath: shown(targetPath ?? sourcePath),
      fileName,
      size,
      mimeType,
      sourcePath: shown(sourcePath),
      targetPath: shown(targetPath),
    },
  };
}
