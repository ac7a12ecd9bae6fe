import { createHash } from "node:crypto";
import type { VaultSettings } from "../vault-context.ts";
import { nameKey } from "./names.ts";

/** The key of a lane has at most 1,000 bytes, including a prefix before this key. */
const LONGEST = 900;
const KEPT = 800;

/** A path on the NAS as the key of a lane: equal for paths that the NAS treats as the same. Long keys end in a hash. */
export function pathKey(path: string, settings: VaultSettings): string {
  const key = nameKey(path, settings);
  if (Buffer.byteLength(key) <= LONGEST) return key;
  return `${startOf(key)}#${createHash("sha256").update(key).digest("hex")}`;
}

/**
 * The range of the keys of all paths below a folder, by their bytes: `from` is included, `to` is not. If the folder's path is so
 * long that keys below it end in a hash, the range may include its neighbours.
 */
export function keysBelow(folder: string, settings: VaultSettings): { from: string; to: string } {
  const prefix = `${nameKey(folder, settings)}/`;
  const isShort = Buffer.byteLength(prefix) <= KEPT;
  const start = isShort ? prefix : startOf(prefix);
  return { from: start, to: isShort ? `${start.slice(0, -1)}0` : `${start}\u{10ffff}` };
}

/** The first whole characters that fit. */
function startOf(key: string): string {
  const bytes = Buffer.from(key).subarray(0, KEPT);
  return bytes.toString("utf8").replace(/\ufffd+$/, "");
}
