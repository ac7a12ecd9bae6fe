import type { DriftKind, Finding } from "../api.ts";

/** The repair of each kind, in the order of display. */
export const REPAIR_OF: Record<DriftKind, Finding["repair"]> = {
  MISSING_ON_NAS: "UPLOAD_AGAIN",
  SIZE_DIFFERS: "UPLOAD_AGAIN",
  CHECKSUM_DIFFERS: "UPLOAD_AGAIN",
  MISSING_IN_CACHE: "FETCH_TO_CACHE",
  LEFTOVER_TEMPORARY: "REMOVE_TEMPORARY",
  UNKNOWN_ON_NAS: "NONE",
};

export const KINDS = Object.keys(REPAIR_OF) as readonly DriftKind[];

/** Whether Andon can repair any of the counted findings. */
export function isAnyRepairable(counts: ReadonlyMap<DriftKind, number>): boolean {
  return KINDS.some((kind) => REPAIR_OF[kind] !== "NONE" && (counts.get(kind) ?? 0) > 0);
}
