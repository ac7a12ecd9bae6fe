import type { JobDescription } from "@andon/app";
import type { Job } from "@andon/contract";
import type { KeyRange } from "@andon/engine";

/**
 * The payload of a job of the queue `nas-sync`; the job's name is the operation. Paths are those of the database at the time
 * of queueing. Where the bytes really are is read from the storage object when the job runs.
 */
export interface SyncPayload {
  readonly fileId: string;
  readonly folderId: string;
  readonly tenantId: string;
  /** The file's path on the NAS before the change, with tenant and trash in it. Null for a new file. */
  readonly sourcePath: string | null;
  /** Its path on the NAS after the change. Null if its bytes are removed. */
  readonly targetPath: string | null;
  readonly fileName: string;
  readonly size: number;
  readonly mimeType: string;
  readonly sha256: string;
  /** A repair: other bytes at the target are quarantined; they do not make the operation fail. */
  readonly replaces?: true;
}

/** The keys of the lanes of an operation: its file first, then every path it names, so that files that use the same path keep their order. */
export function lanesOf(payload: SyncPayload, pathKey: (path: string) => string): string[] {
  const paths = [payload.sourcePath, payload.targetPath].filter((path) => path !== null).map(pathKey);
  return [fileLane(payload.fileId), ...new Set(paths.map(pathLane))];
}

const FILE_LANE = "file:";

/** The key of the lane of a file. */
export function fileLane(fileId: string): string {
  return `${FILE_LANE}${fileId}`;
}

export function fileOfLane(lane: string): string {
  return lane.slice(FILE_LANE.length);
}

/** The keys of all lanes of files. `;` is the character after `:`. */
export const FILE_LANES: KeyRange = { from: "file:", to: "file;" };

/** The key of the lane of a path, by the path's own key. Keys in order are lanes in order. */
export function pathLane(pathKey: string): string {
  return `path:${pathKey}`;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isPath = (value: unknown): boolean => value === null || isText(value);

/** The check of each member before the payload is used. */
const MEMBERS: Readonly<Record<keyof Omit<SyncPayload, "replaces">, (value: unknown) => boolean>> = {
  fileId: isText,
  folderId: isText,
  tenantId: isText,
  sourcePath: isPath,
  targetPath: isPath,
  fileName: isText,
  size: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  mimeType: (value) => typeof value === "string",
  sha256: isText,
};

/**
 * The payload of a job of this queue, if the vault created it. Any program with the library can add a job with any
 * payload: such a job concerns no file.
 */
export function syncPayloadOf({ payload }: Job): SyncPayload | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const given = payload as Record<string, unknown>;
  const fits = Object.entries(MEMBERS).every(([name, isFit]) => isFit(given[name]));
  return fits ? (payload as SyncPayload) : undefined;
}

/**
 * An operation described as a sync event. Undefined for a job that the vault did not create. Paths begin with `/` for
 * people.
 */
export function describeSyncJob(job: Job): JobDescription | undefined {
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
