import { hasMethods, NO_CONNECTION, NOT_BEGUN, refuseTx } from "../refused-tx.ts";
import type { SqliteConnection } from "./driver.ts";

/** A caller's connection that has an open transaction. */
export function inTransaction(given: unknown): SqliteConnection {
  if (!hasMethods(given, "exec", "prepare")) refuseTx(NO_CONNECTION);
  const connection = given as SqliteConnection;
  if (canBegin(connection)) refuseTx(NOT_BEGUN);
  return connection;
}

/** Takes no lock and is refused inside a transaction; `isTransaction`, which would tell, came with Node 22.16. */
function canBegin(connection: SqliteConnection): boolean {
  try {
    connection.exec("begin");
  } catch {
    return false;
  }
  connection.exec("rollback");
  return true;
}
