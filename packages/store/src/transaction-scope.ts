import { AsyncLocalStorage } from "node:async_hooks";
import { AndonError } from "@andon/contract";

/** The longest that a transaction may take: it may hold a lane's or a queue's lock. */
export const LONGEST_TRANSACTION_MS = 60_000;
/** For schema changes: one that is cancelled half-way would start over at every start of the program. */
export const NO_LIMIT = Number.POSITIVE_INFINITY;

const inside = new AsyncLocalStorage<{ open: boolean }>();

/**
 * Runs the callback of a transaction. Opening another transaction inside is an error (on SQLite it would wait for
 * itself, on PostgreSQL it would be a second, independent transaction), and so is exceeding the limit.
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
