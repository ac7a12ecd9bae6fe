import pg from "pg";
import { connectionTo } from "./address.ts";
import { backendOf, endOf } from "./socket.ts";

const LONGEST_MS = 5_000;

/** Behind a pooler the number may be another's: only what is ours, and at work, is ended. */
const CANCEL = `select pg_cancel_backend(pid) from pg_stat_activity
where pid = $1 and application_name = current_setting('application_name') and state = 'active'`;

/** Ends what the server does for this connection, over one of its own: the pool may have none to spare. */
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
    // A server that cannot be told is away, and then the rollback finds that out.
  } finally {
    await endOf(speaker);
  }
}
