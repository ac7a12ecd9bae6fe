import type { BulkPort } from "./port.ts";

/** A pause that ends early when the signal is aborted, or an abort of the job is requested. */
export function pauseFor(
  { clock, onAsked }: Pick<BulkPort, "clock" | "onAsked">,
  signal: AbortSignal,
  ms: number,
): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stop();
      unlisten();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const stop = clock.after(Math.ceil(ms), end);
    const unlisten = onAsked(end);
    signal.addEventListener("abort", end, { once: true });
  });
}
