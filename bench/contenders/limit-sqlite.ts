import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { BenchJob, Contender, ContenderKind, Handler, Mode, Working } from "../contender.ts";
import { gather } from "./gather.ts";

/** The upper limit on SQLite, built like the one on PostgreSQL: one table, batches and updates, and not a usable queue. */
const SCHEMA = `
  create table if not exists job (id integer primary key, queue text not null, priority integer not null default 0,
    created_at integer not null, state integer not null default 0, payload text not null);
  create index if not exists job_order on job (queue, priority, id)`;
const INSERT = "insert into job (queue, created_at, payload) select 'bench', ?, value from json_each(?)";
/** `+ 0`: with a bare parameter as limit, SQLite would plan the statement again for every claim. */
const CLAIM = `
  update job set state = 1 where id in (
    select id from job where queue = 'bench' and priority = 0 and id > ? and state = 0 order by id limit ? + 0)
  returning id, payload`;
const COMPLETE = "update job set state = 2 where id in (select value from json_each(?))";

const MODES: Mode[] = ["drain", "serial", "add", "latency"];
const BATCH = 500;
const BULK = 5_000;

type Row = { id: number; payload: string };

export default {
  name: "limit-sqlite",
  role: "limit",
  store: "sqlite",
  variants: (mode) => (MODES.includes(mode) ? ["FULL", "NORMAL"] : []),

  async open(place, { mode, variant }): Promise<Contender> {
    const db = new DatabaseSync(join(place.folder, "limit.db"), { timeout: 5_000 });
    db.exec(`pragma journal_mode = wal; pragma synchronous = ${variant}; ${SCHEMA}`);
    const insert = db.prepare(INSERT);
    const count = db.prepare("select count(*) as n from job where state < 2");
    // Each payload is quoted twice, so that json_each returns it as text.
    const write = (jobs: BenchJob[]) =>
      void insert.run(Date.now(), JSON.stringify(jobs.map((job) => JSON.stringify(job))));
    let woken = () => {};

    return {
      settings: { synchronous: variant, journal: "WAL", batch: mode === "drain" ? BATCH : 1, bulkAdd: BULK },
      async addBulk(jobs) {
        for (let from = 0; from < jobs.length; from += BULK) write(jobs.slice(from, from + BULK));
      },
      addOne:
        mode === "add"
          ? gather(write)
          : async (job) => {
              write([job]);
              woken();
            },
      async work(_options, handler) {
        const wake = { next: () => new Promise<void>((resolve) => (woken = resolve)) };
        return work(db, mode === "drain" ? BATCH : 1, wake, () => woken(), handler);
      },
      async unfinished() {
        return Number(count.get()?.n);
      },
      async close() {
        db.close();
      },
    };
  },
} satisfies ContenderKind;

/** Each step is one transaction that completes the finished jobs and claims the next ones. */
async function work(
  db: DatabaseSync,
  batch: number,
  wake: { next(): Promise<void> },
  wakeNow: () => void,
  handler: Handler,
): Promise<Working> {
  const claim = db.prepare(CLAIM);
  const complete = db.prepare(COMPLETE);
  let running = true;

  const finishAndClaim = (finished: Row[], floor: number): Row[] => {
    db.exec("begin immediate");
    if (finished.length > 0) complete.run(JSON.stringify(finished.map((row) => row.id)));
    const rows = claim.all(floor, batch) as unknown as Row[];
    db.exec("commit");
    return rows;
  };
  const loop = async () => {
    let floor = 0;
    let rows: Row[] = [];
    while (running || rows.length > 0) {
      rows = finishAndClaim(rows, running ? floor : Number.MAX_SAFE_INTEGER);
      floor = rows.reduce((top, row) => Math.max(top, row.id), floor);
      for (const row of rows) {
        const result = handler(JSON.parse(row.payload) as BenchJob);
        if (result) await result;
      }
      if (running && rows.length === 0) await wake.next();
      else await null;
    }
  };
  const looping = loop();
  return {
    async stop() {
      running = false;
      wakeNow();
      await looping;
    },
  };
}
