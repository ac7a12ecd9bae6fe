import pg from "pg";
import { connectionTo } from "./address.ts";
import { backendOf, endOf } from "./socket.ts";

const LONGEST_MS = 5_000;

/**
 * Behind a pooler the pid may belong to another connection, so only an active backend with our application name is
 * cancelled.
 */
const CANCEL = `select pg_cancel_backend(pid) from pg_stat_activity
where pid = $1 and application_name = current_setting('application_name') and state = 'active'`;

/**
 * Cancels the statement that the server runs for this connection, over a separate connection: the pool may have none
 * free.
 */
export async function cancelStatement(url: string, client: pg.ClientBase): Promise<void> {
  const speaker = new pg.Client({
    ...connectionTo(url),
    application_name: "andon",
    connectionTimeoutMillis: LONGEST_MS,
    query_timeout: LONGEST_MS,
  });
  speaker.on("error", () => {});
  try {
    await speaker.connect();
    await speaker.query(CANCEL, [backendOf(client)]);
  } catch {
    // If the server cannot be reached, the rollback reports that.
  } finally {
    await endOf(speaker);
  }
}
