import { type BigIntStats, constants } from "node:fs";
import { sep } from "node:path";

/** Without these a link could lead a read or write away, or a named pipe could block an open for ever. */
export const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What a root was known by when it was last found to be the right one. */
export interface RootIdentity {
  readonly folder: string;
  /** The marker, or the folder itself where there is none. */
  readonly watched: string;
  readonly isMarker: boolean;
  readonly where: string;
}

/** A file system gives the number of a removed file to the next one, so a marker's time belongs to it. */
export function whereOf(info: BigIntStats, isMarker: boolean): string {
  return isMarker ? `${info.dev}:${info.ino}:${info.ctimeNs}` : String(info.dev);
}

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
