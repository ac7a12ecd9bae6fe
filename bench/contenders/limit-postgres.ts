import type { BenchJob, Contender, ContenderKind, Handler, Mode, Working } from "../contender.ts";
import { pg } from "../peers/postgres-client.ts";
import { gather } from "./gather.ts";

/**
 * The upper limit on PostgreSQL: one table with the columns and the one index that any queue needs, batched statements, and
 * updates that mark a claim and a completion. It has no retries, leases, keys, stops or events, and only one consumer
 * process, so it is not a usable queue.
 *
 * No index contains `state`, and half of each page is free, so that both updates stay inside the page. The claim starts after
 * the last row it has seen and walks the index from there.
 */
const SCHEMA = `
  create table if not exists job (id bigint generated always as identity primary key, queue text not null,
    priority int not null default 0, created_at bigint not null, state smallint not null default 0, payload text not null)
    with (fillfactor = 50);
  create index if not exists job_order on job (queue, priority, id)`;
const INSERT = "insert into job (queue, created_at, payload) select 'bench', $2, unnest($1::text[])";
const NEXT =
  "from job where (queue, priority, id) > ('bench', 0, $1) and state = 0 order by queue, priority, id";
const CLAIM = `
  update job set state = 1 where ctid = any(array(select ctid ${NEXT} limit $2 for update skip locked))
  returning id, payload`;
const COMPLETE = "update job set state = 2 where id = any($1::bigint[])";
const COMPLETE_AND_CLAIM = `
  with finished as (update job set state = 2 where id = $1)
  update job set state = 1 where id = (select id ${NEXT} limit 1 for update)
  returning id, payload`;

const BY_MODE: Partial<Record<Mode, string[]>> = {
  drain: ["2 × 500", "2 × 1000"],
  serial: ["complete + claim"],
  add: ["single", "gathered"],
  latency: ["NOTIFY"],
};

type Client = InstanceType<typeof pg.Client>;
type Row = { id: string; payload: string };

export default {
  name: "limit-postgres",
  role: "limit",
  store: "postgres",
  variants: (mode) => BY_MODE[mode] ?? [],

  async open(place, { variant }): Promise<Contender> {
    const connect = async (): Promise<Client> => {
      const client = new pg.Client({
        connectionString: place.postgresUrl,
        pipeline: true,
        // A plan that is cached while the table is small scans and sorts the whole table, and stays cached: serial fell to a
        // third.
        options: "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off",
      });
      await client.connect();
      return client;
    };
    const [adding, first, second] = await Promise.all([connect(), connect(), connect()]);
    await adding.query(SCHEMA);

    const insert = async (jobs: BenchJob[]) => {
      await adding.query({
        name: "insert",
        text: INSERT,
        values: [jobs.map((job) => JSON.stringify(job)), Date.now()],
      });
    };
    const notifying = async (job: BenchJob) => {
      await Promise.all([insert([job]), adding.query("notify job")]);
    };
    const single = (job: BenchJob) => insert([job]);
    const addOne = variant === "gathered" ? gather(insert) : variant === "NOTIFY" ? notifying : single;
    const batch = variant === "2 × 1000" ? 1000 : 500;

    return {
      settings: { bulkAdd: 1_000, batch, connections: 2, fillfactor: 50, plans: "no seq scan, bitmap, sort" },
      async addBulk(jobs) {
        for (let from = 0; from < jobs.length; from += 1_000) await insert(jobs.slice(from, from + 1_000));
      },
      addOne,
      async work(_options, handler) {
        if (variant === "complete + claim") return workSerially(first, handler);
        if (variant === "NOTIFY") return workOnNotify(first, second, handler);
        return workInBatches([first, second], batch, handler);
      },
      async unfinished() {
        const { rows } = await adding.query("select count(*)::int as n from job where state < 2");
        return rows[0].n;
      },
      async close() {
        await Promise.all([adding.end(), first.end(), second.end()]);
      },
    };
  },
} satisfies ContenderKind;

const claim = async (client: Client, floor: number, limit: number): Promise<Row[]> =>
  (await client.query<Row>({ name: "claim", text: CLAIM, values: [floor, limit] })).rows;

const complete = (client: Client, rows: Row[]) =>
  client.query({ name: "complete", text: COMPLETE, values: [rows.map((row) => row.id)] });

const highest = (rows: Row[], floor: number) =>
  rows.reduce((top, row) => Math.max(top, Number(row.id)), floor);

async function workInBatches(clients: Client[], batch: number, handler: Handler): Promise<Working> {
  let running = true;
  const loop = async (client: Client) => {
    let floor = 0;
    let rows = await claim(client, floor, batch);
    while (running) {
      for (const row of rows) await handler(JSON.parse(row.payload) as BenchJob);
      floor = highest(rows, floor);
      if (rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      // Both statements are sent before the first is answered.
      const [next] = await Promise.all([claim(client, floor, batch), complete(client, rows)]);
      rows = next;
    }
  };
  const loops = clients.map(loop);
  return {
    async stop() {
      running = false;
      await Promise.all(loops);
    },
  };
}

async function workSerially(client: Client, handler: Handler): Promise<Working> {
  let running = true;
  const loop = async () => {
    let last = "0";
    while (running) {
      const { rows } = await client.query<Row>({ name: "step", text: COMPLETE_AND_CLAIM, values: [last] });
      const row = rows[0];
      if (row === undefined) continue;
      last = row.id;
      await handler(JSON.parse(row.payload) as BenchJob);
    }
  };
  const looping = loop();
  return {
    async stop() {
      running = false;
      await looping;
    },
  };
}

async function workOnNotify(client: Client, listener: Client, handler: Handler): Promise<Working> {
  let floor = 0;
  const take = async () => {
    const rows = await claim(client, floor, 10);
    for (const row of rows) await handler(JSON.parse(row.payload) as BenchJob);
    floor = highest(rows, floor);
    if (rows.length > 0) await complete(client, rows);
  };
  listener.on("notification", () => void take());
  await listener.query("listen job");
  await take();
  return { stop: async () => void (await listener.query("unlisten job")) };
}
