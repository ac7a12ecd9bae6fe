import type { Dialect } from "../dialect.ts";
import { QUEUE_LOCK_SPACE } from "../statements/finish-and-claim.postgres.ts";
import { QUEUE_COLUMNS } from "../statements/queue-row.ts";

/** Advisory lock keys of the store, all in one place. */
const FEED_LOCK = 5_017_262;
export const MIGRATION_LOCK = 5_017_263;
/** The first of two keys; the second is the queue's hash. */
const PROMOTION_LOCK_SPACE = 5_017_264;
/**
 * The first of two keys; the second is the hash of a worker's id. A worker's connection holds the lock while it is
 * open.
 */
export const WORKER_LOCK_SPACE = 5_017_265;
/** The one channel of LISTEN/NOTIFY. */
export const CHANNEL = "andon";

/**
 * How long a transaction that holds a queue's lock waits for any other lock, such as that of a lane which another
 * transaction holds. A stop of the queue waits at most that long. Then the transaction is rolled back and run again.
 */
export const LOCK_TIMEOUT_MS = 20;

const lockQueue = (advisory: string, row: string) => `
with cord as materialized (select ${advisory}(${QUEUE_LOCK_SPACE}, hashtext(@queue)))
select ${QUEUE_COLUMNS}, set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true) as lock_timeout
from andon_queues where name = @queue and (select count(*) from cord) = 1 ${row}`;

export const postgresDialect: Dialect = {
  name: "postgres",
  mark: "$",
  forUpdate: " for update",
  forUpdateSkipLocked: " for update skip locked",
  among: (parameter, type) => `= any(@${parameter}::${type}[])`,
  amongRows: (select) => `= any(array(${select}))`,
  array: (values) => values,
  records: (parameter, columns) =>
    `json_to_recordset(@${parameter}::json) as r(n bigint, ${Object.entries(columns)
      .map(([column, type]) => `${column} ${type}`)
      .join(", ")})`,
  rows: (parameter) => `(select name from unnest(@${parameter}::text[]) as listed(name))`,
  time: "(extract(epoch from clock_timestamp()) * 1000)::bigint",
  // If two workers share a hash, a dead one may appear as connected; it then stays in the list a while longer.
  connectedWorkers: `select w.id from andon_workers w join pg_locks l on l.locktype = 'advisory' and l.objsubid = 2
  and l.classid::bigint = ${WORKER_LOCK_SPACE} and l.objid::bigint = (hashtext(w.id)::bigint & 4294967295)
  and l.database = (select oid from pg_database where datname = current_database())`,
  lockQueueShare: lockQueue("pg_advisory_xact_lock_shared", "for share"),
  lockQueueExclusive: lockQueue("pg_advisory_xact_lock", "for update"),
  endLockTimeout: "set local lock_timeout to default",
  promotionLock: `select pg_try_advisory_xact_lock(${PROMOTION_LOCK_SPACE}, hashtext(@queue)) as locked`,
  reserveNumbers: null,
  setTickets:
    "update andon_jobs set ticket = nextval('andon_job_numbers') where pos = any(@positions::bigint[])",
  feedLock: `select pg_advisory_xact_lock(${FEED_LOCK})`,
  // `for share` counts as a write, so it is refused if only reads are allowed. The index shows that no row matches.
  ready: "select name from andon_queues where name = '' for share",
  notify: `select pg_notify('${CHANNEL}', @payload)`,
};
