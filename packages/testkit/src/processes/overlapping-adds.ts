import type { Andon, Queue } from "@andon/engine";
import pg from "pg";
import type { Errand } from "./errand.ts";
import { seeded } from "./seeded.ts";

export interface Overlap {
  queue: string;
  seed: number;
  /** The number of the first job. */
  from: number;
  transactions: number;
  /** Transactions that run at the same time in this process. */
  parallel: number;
  /** The sets of keys that jobs take, in the order written here. */
  keys: string[][];
  /** Whether a caller's own client opens half of the transactions (PostgreSQL). */
  foreign: boolean;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
class RolledBack extends Error {}

/**
 * Transactions that add one job each and write a row of their own, with pauses before the add and before the commit;
 * one in twenty is rolled back at its end. Returns the numbers of the committed jobs.
 */
export async function overlappingAdds(
  andon: Andon,
  queue: Queue<Errand>,
  url: string,
  overlap: Overlap,
): Promise<number[]> {
  const random = seeded(overlap.seed);
  const committed: number[] = [];
  let next = overlap.from;
  const last = overlap.from + overlap.transactions;
  const one = async (client: pg.Client | undefined) => {
    while (next < last) {
      const n = next++;
      const keys = overlap.keys[random.below(overlap.keys.length)] as string[];
      const [before, after, isRolledBack] = [random.below(3), random.below(3), random.below(20) === 0];
      const work = async (tx: unknown, run: (sql: string, params: unknown[]) => Promise<unknown>) => {
        if (before > 0) await sleep(before - 1);
        const { id } = await queue.add({ n }, { keys, tx });
        await run("insert into andon_test_effects (job_id, pid) values ($1, $2)", [id, process.pid]);
        if (after > 0) await sleep(after - 1);
        if (isRolledBack) throw new RolledBack();
      };
      try {
        if (client) await inOwnTransaction(client, work);
        else await andon.transaction((tx) => work(tx, (sql, params) => tx.query(sql, params)));
        committed.push(n);
      } catch (error) {
        if (!(error instanceof RolledBack)) throw error;
      }
    }
  };
  const clients = await Promise.all(
    Array.from({ length: overlap.parallel }, (_, index) =>
      overlap.foreign && index % 2 === 1 ? connect(url) : undefined,
    ),
  );
  try {
    await Promise.all(clients.map(one));
  } finally {
    await Promise.all(clients.map((client) => client?.end()));
  }
  return committed;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function inOwnTransaction(
  client: pg.Client,
  work: (tx: pg.Client, run: (sql: string, params: unknown[]) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  await client.query("begin");
  try {
    await work(client, (sql, params) => client.query(sql, params));
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
