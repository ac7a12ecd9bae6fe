import { setTimeout as sleep } from "node:timers/promises";
import { all, atMost, type Round, type Scenario } from "../scenario.ts";
import { storeUrl } from "../store-url.ts";

interface Client {
  query(text: string): Promise<unknown>;
}

/** Longer than any process polls fast or keeps a spare connection open after work. */
const SETTLED_MS = 90_000;
const MOST_PER_SECOND = 0.2;
const MOST_CONNECTIONS = 3;

interface Counted {
  transactions: number;
  xid: number;
  connections: number;
}

const COUNTED = `select (xact_commit + xact_rollback)::float8 as transactions,
  pg_snapshot_xmax(pg_current_snapshot())::text::float8 as xid,
  (select count(*)::int from pg_stat_activity a where a.datname = d.datname and a.pid <> pg_backend_pid()) as connections
from pg_stat_database d where d.datname = current_database()`;

/**
 * While transactions are counted, autovacuum is off: its analysis of new tables also takes transaction ids, at times of its
 * own choice.
 */
async function setAutovacuum(observer: Client, value: "off" | "default"): Promise<void> {
  await observer.query(`alter system set autovacuum = ${value}`);
  await observer.query("select pg_reload_conf()");
}

/** The figures come from the server's own counters. The observer's one transaction between the two readings is subtracted. */
export default {
  name: "idle",
  title: "An idle fleet",
  measures:
    "Transactions and transaction ids per second, and connections, of each of some processes that work 50 queues without a job, as the server counts them after a while.",
  mode: "server",
  full: { queues: 50, processes: 5, seconds: 120 },
  quick: { queues: 50, processes: 1, seconds: 60 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 600,
  main: { figure: "transactions", unit: "transactions/s per process", better: "lower" },
  also: [
    { figure: "xids", unit: "transaction ids/s" },
    { figure: "connections", unit: "connections per process" },
  ],
  targets: [
    {
      store: "postgres",
      text: "≤ 0.2 transactions/s and ≤ 3 connections per process, no transaction ids",
      reached: (ours) =>
        all(
          atMost(ours(), MOST_PER_SECOND),
          atMost(ours("xids"), 0),
          atMost(ours("connections"), MOST_CONNECTIONS),
        ),
    },
  ],
  cited: (kind) => (kind.store === "postgres" ? undefined : "there is no server that counts"),
  async run({ place, size }: Round) {
    const { queues = 0, processes = 0, seconds = 0 } = size;
    const { open } = await import("andon");
    const { pg } = await import("../peers/postgres-client.ts");
    const fleet = await Promise.all(
      Array.from({ length: processes }, async () => {
        const andon = await open(storeUrl("postgres", place));
        for (let n = 0; n < queues; n++) await andon.queue(`idle-${n}`).work(() => {});
        return andon;
      }),
    );
    const observer = new pg.Client(place.postgresUrl);
    await observer.connect();
    await setAutovacuum(observer, "off");
    await sleep(SETTLED_MS);
    const count = async () => (await observer.query<Counted>(COUNTED)).rows[0] as Counted;
    const before = await count();
    await sleep(seconds * 1_000);
    const after = await count();
    await setAutovacuum(observer, "default");
    await observer.end();
    await Promise.all(fleet.map((andon) => andon.close()));
    return {
      figures: {
        transactions: (after.transactions - before.transactions - 1) / seconds / processes,
        xids: (after.xid - before.xid) / seconds,
        connections: after.connections / processes,
      },
      problems: [],
      settings: { queues, processes },
    };
  },
} satisfies Scenario;
