const LONGEST_MS = 30_000;
/**
 * The first looks follow quickly, later ones less often: each look costs a request, and other processes need the
 * processor.
 */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
const GROWTH = 1.5;

/** Polls until `look` returns something. */
export async function until<T>(
  look: () => Promise<T | undefined | false>,
  longestMs = LONGEST_MS,
): Promise<T> {
  const end = Date.now() + longestMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`no result within ${longestMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
