import { AsyncLocalStorage } from "node:async_hooks";
import { AndonError } from "@andon/contract";

/** How long a transaction may take at the most: a lane or a queue may be locked meanwhile. */
export const LONGEST_TRANSACTION_MS = 60_000;
/** For a change of the schema: to give it up half-way would be to begin it anew at every start. */
export const NO_LIMIT = Number.POSITIVE_INFINITY;

const inside = new AsyncLocalStorage<{ open: boolean }>();

/**
 * Runs the callback of a transaction. Opening another one inside is an error (on SQLite it would wait for itself, on
 * PostgreSQL it would be a second, independent transaction), and so is taking longer than the limit.
 */
export async function withinTransaction<T>(work: () => Promise<T>, limitMs: number): Promise<T> {
  const scope = { open: true };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    if (limitMs === NO_LIMIT) return;
    timer = setTimeout(() => reject(new AndonError("TRANSACTION_TIMEOUT", { ms: limitMs })), limitMs);
  });
  try {
    return await Promise.race([inside.run(scope, work), late]);
  } finally {
    scope.open = false;
    clearTimeout(timer);
  }
}

export function refuseNesting(): void {
  if (inside.getStore()?.open) throw new AndonError("NESTED_TRANSACTION");
}
