import { hasMethods, NO_CONNECTION, NOT_BEGUN, refuseTx } from "../refused-tx.ts";
import type { PostgresClient } from "./session.ts";

/** What pg's own client tells besides: `T` in a transaction, `E` in one that failed, `I` in none. */
interface TellingClient extends PostgresClient {
  getTransactionStatus?(): string | null;
}

/** Does nothing inside a transaction, and is refused outside of one: by the server, so it holds for any client. */
const LOOK = "savepoint andon_fleet_state; release savepoint andon_fleet_state";
const NO_ACTIVE_TRANSACTION = "25P01";

/** A caller's client that has an open transaction. A pool has none: each of its statements may go over another connection. */
export async function inTransaction(given: unknown): Promise<PostgresClient> {
  if (!hasMethods(given, "query")) refuseTx(NO_CONNECTION);
  const client = given as TellingClient;
  const status = client.getTransactionStatus?.();
  if (status === "T" || status === "E") return client;
  // A `begin` that nobody waited for is still on its way: the server, asked behind it, knows.
  try {
    await client.query(LOOK);
  } catch (error) {
    if ((error as { code?: unknown })?.code === NO_ACTIVE_TRANSACTION) refuseTx(NOT_BEGUN);
    throw error;
  }
  return client;
}
