import { type BigIntStats, constants } from "node:fs";
import { sep } from "node:path";

/** Without these flags, a link could redirect a read or write, and opening a named pipe could block for ever. */
export const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** How a root was identified by its last successful check. */
export interface RootIdentity {
  readonly folder: string;
  /** The path of the marker, or of the folder itself without a marker. */
  readonly watched: string;
  readonly isMarker: boolean;
  readonly where: string;
}

/** A file system reuses the inode number of a removed file, so the identity of a marker includes its change time. */
export function whereOf(info: BigIntStats, isMarker: boolean): string {
  return isMarker ? `${info.dev}:${info.ino}:${info.ctimeNs}` : String(info.dev);
}

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
