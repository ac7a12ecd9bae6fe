import type { Storage } from "@andon/storage";
import type { SyncPayload } from "./payload.ts";

/** What lies where an operation is to bring a file's bytes, and is not those bytes. */
export interface Occupant {
  readonly path: string;
  readonly kind: "file" | "folder" | "other";
  readonly size: number;
}

/**
 * What would make the operation fail again with TARGET_EXISTS. A repair sets aside what lies there, and an empty folder is
 * taken away: neither stands in its way. A NAS that does not answer has shown nothing.
 */
export async function occupantOf(
  nas: Storage,
  { targetPath: path, replaces }: SyncPayload,
): Promise<Occupant | undefined> {
  if (path === null || replaces) return undefined;
  try {
    const entry = await nas.stat(path);
    if (!entry || (entry.kind === "folder" && (await isEmpty(nas, path)))) return undefined;
    return { path, kind: entry.kind === "own" ? "other" : entry.kind, size: entry.size };
  } catch {
    return undefined;
  }
}

async function isEmpty(nas: Storage, folder: string): Promise<boolean> {
  for await (const _ of nas.list(folder)) return false;
  return true;
}
