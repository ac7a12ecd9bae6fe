import { startPostgres as startServer } from "@andon/testkit";
import { pg } from "../peers/postgres-client.ts";

export interface PostgresForRounds {
  /**
   * What a reader needs to repeat the run: the version, the durability settings, and every setting that differs from its
   * default.
   */
  readonly settings: Record<string, string>;
  /** An empty database for one round. The server's pending writes are flushed before it is returned. */
  freshDatabase(): Promise<{ url: string; drop(): Promise<void> }>;
  stop(): Promise<void>;
}

/** One durable server for the whole run. Each round has its own database, so that no round meets another's dead rows. */
export async function startPostgres(): Promise<PostgresForRounds> {
  const server = await startServer();
  const admin = new pg.Client({ connectionString: server.url });
  // The server ends while this connection is open; that is no error of the run.
  admin.on("error", () => {});
  await admin.connect();
  const { rows } = await admin.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings
      where name in ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'max_wal_size')
         or source in ('command line', 'configuration file') and name !~ '(lc_|data_directory|_file$|port|timezone|addresses|directories)'
      order by name`,
  );

  let made = 0;
  return {
    settings: Object.fromEntries(rows.map((row) => [row.name, row.setting])),
    async freshDatabase() {
      const name = `round_${++made}`;
      await admin.query(`create database ${name}`);
      // Otherwise a checkpoint due from the previous round would fall into this one.
      await admin.query("checkpoint");
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return {
        url: url.href,
        async drop() {
          await admin.query(`drop database if exists ${name} with (force)`);
        },
      };
    },
    async stop() {
      await admin.end().catch(() => {});
      await server.stop();
    },
  };
}
