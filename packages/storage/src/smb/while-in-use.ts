import { setTimeout as pause } from "node:timers/promises";
import { hasStatus } from "./smb-error.ts";

const MOST_TRIES = 8;
const PAUSE_MS = 5;

/**
 * Tries again for a moment what fails because somebody has the file or folder open. A server lets go of a file shortly after the
 * process that wrote it has ended, and a folder that one process removes is in the way of another's until it is gone, or stays
 * because something came into it.
 */
export async function retryWhileInUse<T>(task: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await task();
    } catch (error) {
      if (!hasStatus(error, "DELETE_PENDING", "SHARING_VIOLATION") || attempt === MOST_TRIES) throw error;
      await pause(attempt * PAUSE_MS);
    }
  }
}
