/** Calls `run` for 0 to `count - 1`, with `width` calls under way at a time. */
export async function inFlight(
  count: number,
  width: number,
  run: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: width }, caller));
}
