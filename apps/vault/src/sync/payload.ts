import type { Job } from "@andon/contract";

/**
 * What a job of the queue `nas-sync` is to do; the job's name is the operation. Paths are what the database says when it
 * is queued: where the bytes really lie is read from the NAS's storage object when it runs.
 */
export interface SyncPayload {
  readonly fileId: string;
  readonly folderId: string;
  readonly tenantId: string;
  /** Where the file lay, as the database knew it: a path on the NAS, with tenant and trash in it. Null for a new file. */
  readonly sourcePath: string | null;
  /** Where it is to lie; null where it is to go. */
  readonly targetPath: string | null;
  readonly fileName: string;
  readonly size: number;
  readonly mimeType: string;
  readonly sha256: string;
  /** A repair: other bytes at the target are set aside for a person instead of standing in the way. */
  readonly replaces?: true;
}

/** The lanes of an operation: its file first, then every path it names, so that files that meet at a path keep their order. */
export function lanesOf(payload: SyncPayload, pathKey: (path: string) => string): string[] {
  const paths = [payload.sourcePath, payload.targetPath].filter((path) => path !== null).map(pathKey);
  return [`file:${payload.fileId}`, ...new Set(paths.map(pathLane))];
}

/** The lane of a path, by the path's key. */
export function pathLane(pathKey: string): string {
  return `path:${pathKey}`;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isPath = (value: unknown): boolean => value === null || isText(value);

/** What each member has to be before anything is done with it. */
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
 * The payload of a job of this queue, if it is one. Anybody with the library can add a job with any payload: it must stand
 * in nobody's way, and no file's.
 */
export function syncPayloadOf({ payload }: Job): SyncPayload | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const given = payload as Record<string, unknown>;
  const fits = Object.entries(MEMBERS).every(([name, isFit]) => isFit(given[name]));
  return fits ? (payload as SyncPayload) : undefined;
}
