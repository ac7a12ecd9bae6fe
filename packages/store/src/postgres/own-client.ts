import { hasMethods, NO_CONNECTION, NOT_BEGUN, refuseTx } from "../refused-tx.ts";
import type { PostgresClient } from "./session.ts";

/** pg's own client also reports the transaction status: `T` in a transaction, `E` in a failed one, `I` in none. */
interface TellingClient extends PostgresClient {
  getTransactionStatus?(): string | null;
}

/** Does nothing inside a transaction and is refused outside one. The server decides, so it works with any client. */
const LOOK = "savepoint andon_fleet_state; release savepoint andon_fleet_state";
const NO_ACTIVE_TRANSACTION = "25P01";

/**
 * Returns a caller's client that has an open transaction. A pool has none: each of its statements may use another
 * connection.
 */
export async function inTransaction(given: unknown): Promise<PostgresClient> {
  if (!hasMethods(given, "query")) refuseTx(NO_CONNECTION);
  const client = given as TellingClient;
  const status = client.getTransactionStatus?.();
  if (status === "T" || status === "E") return client;
  // The caller may not have awaited its `begin`. This query is sent after it, so the server knows.
  try {
    await client.query(LOOK);
  } catch (error) {
    if ((error as { code?: unknown })?.code === NO_ACTIVE_TRANSACTION) refuseTx(NOT_BEGUN);
    throw error;
  }
  return client;
}
