const LONGEST_WAIT_MS = 15_000;

/** Polls until `look` returns something. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > deadline) throw new Error(`timed out waiting until: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
