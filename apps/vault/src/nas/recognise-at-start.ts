import { withinLimit } from "@andon/app";
import type { Storage } from "@andon/storage";

/** How long the start of a process waits for the NAS, in ms. If the NAS hangs, the first operation checks it again. */
const LONGEST_WAIT_MS = 2_000;

/**
 * Compares the NAS with the one in the database, and marks a NAS that was never known, before anything uses it. If it
 * were marked on its first use, a share that is unmounted between the first start and the first upload would leave an
 * empty folder, which would then be marked in its place.
 */
export async function recogniseAtStart(nas: Pick<Storage, "health">): Promise<void> {
  await withinLimit(LONGEST_WAIT_MS, new AbortController().signal, () => nas.health()).catch(() => {});
}
