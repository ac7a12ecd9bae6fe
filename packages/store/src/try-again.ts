import { setTimeout as sleep } from "node:timers/promises";

const MOST_TRIES = 5;
/** Those who met would meet again if all of them came back at once. */
const LONGEST_PAUSE_MS = 20;

/** Runs a whole transaction again where others and it were in each other's way. */
export async function tryAgain<T>(work: () => Promise<T>, mayPass: (error: unknown) => boolean): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !mayPass(error)) throw error;
      await sleep(Math.random() * LONGEST_PAUSE_MS * tries);
    }
  }
}
