import { setTimeout as sleep } from "node:timers/promises";
import { AndonError } from "@andon/contract";

/**
 * Why a transaction failed: two waited for each other, another one kept a lock, or the schema changed under a prepared
 * statement.
 */
export type Obstacle = "deadlock" | "locked" | "stale-plan";

/** How long a transaction is retried while another one keeps its rows locked. Between two tries it holds no locks. */
const LONGEST_MS = 30_000;
/** Limit for the other obstacles. For locks only the time counts. */
const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 20;
/** Much longer than a try waits for a lock (LOCK_TIMEOUT_MS): what it locks meanwhile is free for most of the time. */
const LONGEST_PAUSE_MS = 250;

/** Retries a whole transaction that collided with others. */
export async function tryAgain<T>(
  work: () => Promise<T>,
  obstacleOf: (error: unknown) => Obstacle | undefined,
): Promise<T> {
  const begun = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const obstacle = obstacleOf(error);
      if (!obstacle || (obstacle !== "locked" && tries >= MOST_TRIES)) throw error;
      if (performance.now() - begun > LONGEST_MS)
        throw new AndonError(
          "STORE_UNAVAILABLE",
          { problem: "another transaction keeps rows locked" },
          { cause: error },
        );
    }
    // Random pauses keep transactions that collided from colliding again.
    await sleep(Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2));
  }
}
