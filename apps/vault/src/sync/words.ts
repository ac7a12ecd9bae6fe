import type { Job } from "@andon/contract";
import type { JobWords } from "@andon/engine";
import type { SyncPayload } from "./payload.ts";

/** An operation in the words of a sync event. Paths begin with `/` for people. */
export function syncWords(job: Job): JobWords {
  const payload = job.payload as SyncPayload;
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
