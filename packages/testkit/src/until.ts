const LONGEST_MS = 30_000;
const LOOK_EVERY_MS = 20;

/** Waits until a look finds something: what is looked at works by itself meanwhile. */
export async function until<T>(
  look: () => Promise<T | undefined | false>,
  longestMs = LONGEST_MS,
): Promise<T> {
  const end = Date.now() + longestMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`it did not come about within ${longestMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
