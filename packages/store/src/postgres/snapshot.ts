import pg from "pg";
import type { StoreSnapshot } from "../snapshot.ts";
import { checkAddress, connectionTo } from "./address.ts";
import { postgresSession } from "./session.ts";
import { endOf } from "./socket.ts";

export async function readPostgresSnapshot<T>(
  url: string,
  limitMs: number,
  read: (snapshot: StoreSnapshot) => Promise<T>,
): Promise<T> {
  checkAddress(url);
  const client = new pg.Client({
    ...connectionTo(url, "-c default_transaction_read_only=on"),
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
    application_name: "andon",
  });
  // If the connection is lost, the next query fails; without a listener the event would end the process.
  client.on("error", () => {});
  await client.connect();
  const { raw } = postgresSession(client);
  const query: StoreSnapshot["query"] = (sql, params = []) => raw(sql, params);
  try {
    const [time] = await query<{ now: number }>(
      "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now",
    );
    return await read({
      dialect: "postgres",
      now: time?.now ?? 0,
      hasTable: async (name) =>
        (await query("select 1 as one where to_regclass($1) is not null", [name])).length > 0,
      query,
    });
  } finally {
    await endOf(client);
  }
}
