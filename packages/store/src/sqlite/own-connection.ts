import { hasMethods, NO_CONNECTION, NOT_BEGUN, refuseTx } from "../refused-tx.ts";
import type { SqliteConnection } from "./driver.ts";

/** Returns a caller's connection that has an open transaction. */
export function inTransaction(given: unknown): SqliteConnection {
  if (!hasMethods(given, "exec", "prepare")) refuseTx(NO_CONNECTION);
  const connection = given as SqliteConnection;
  if (canBegin(connection)) refuseTx(NOT_BEGUN);
  return connection;
}

/** `begin` takes no lock and is refused inside a transaction; `isTransaction` exists only from Node 22.16 on. */
function canBegin(connection: SqliteConnection): boolean {
  try {
    connection.exec("begin");
  } catch {
    return false;
  }
  connection.exec("rollback");
  return true;
}
