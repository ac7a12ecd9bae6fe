const LONGEST_MS = 30_000;
/** The first looks come fast; whoever waits long looks less often: to look costs a request, and others need the processor. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
const GROWTH = 1.5;

/** Waits until a look finds something: what is looked at works by itself meanwhile. */
export async function until<T>(
  look: () => Promise<T | undefined | false>,
  longestMs = LONGEST_MS,
): Promise<T> {
  const end = Date.now() + longestMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`it did not come about within ${longestMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
