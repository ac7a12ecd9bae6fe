import { setTimeout as sleep } from "node:timers/promises";
import { AndonError } from "@andon/contract";

/**
 * What was in the way of a transaction: two that waited for each other, a lock that somebody keeps, or a schema that has
 * changed under a prepared statement.
 */
export type Obstacle = "deadlock" | "locked" | "stale-plan";

/** How long a transaction is tried again whose rows somebody else keeps locked. Between two tries it holds nothing. */
const LONGEST_MS = 30_000;
/** Of a lock that somebody keeps there may be any number: the time decides. */
const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 20;
/** Much longer than a try waits for a lock (LOCK_PATIENCE_MS): what it locks meanwhile is free for most of the time. */
const LONGEST_PAUSE_MS = 250;

/** Runs a whole transaction again where others and it were in each other's way. */
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
    // Those who met would meet again if all of them came back at once.
    await sleep(Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2));
  }
}
