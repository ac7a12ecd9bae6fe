import { useSyncExternalStore } from "react";

/** One clock for all times on the page, so that they change together. */
const TICK_MS = 1_000;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const readers = new Set<() => void>();

function subscribe(read: () => void): () => void {
  readers.add(read);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of readers) each();
  }, TICK_MS);
  return () => {
    readers.delete(read);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
