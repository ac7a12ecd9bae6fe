import { setTimeout as pause } from "node:timers/promises";
import { hasStatus } from "./smb-error.ts";

const MOST_TRIES = 8;
const PAUSE_MS = 5;

/**
 * Retries for a moment if a file or folder is in use. A server closes a file shortly after the process that wrote it
 * has ended. A folder that another process removes is in use until it is gone, or until the removal fails because
 * something was put into it.
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
