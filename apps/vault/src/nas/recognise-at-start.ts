import { withinLimit } from "@andon/app";
import type { Storage } from "@andon/storage";

/** How long the start of a process waits for a NAS. One that hangs is asked again by the first operation. */
const LONGEST_WAIT_MS = 2_000;

/**
 * Compares the NAS with the one in the database, and marks one that was never known, before anybody uses it. Marked at its
 * first use only, a share that is unmounted between the first start and the first upload would leave an empty folder that
 * is marked in its place.
 */
export async function recogniseAtStart(nas: Pick<Storage, "health">): Promise<void> {
  await withinLimit(LONGEST_WAIT_MS, new AbortController().signal, () => nas.health()).catch(() => {});
}
