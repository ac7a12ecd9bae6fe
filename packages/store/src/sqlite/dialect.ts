import type { Dialect } from "../dialect.ts";

/** SQLite has one writer at a time and no row locks: `begin immediate` is every lock at once. */
export const sqliteDialect: Dialect = {
  name: "sqlite",
  mark: "?",
  forUpdate: "",
  forUpdateSkipLocked: "",
  list: (parameter) => `(select value from json_each(@${parameter}))`,
  array: (values) => JSON.stringify(values),
  lockQueueShare: "select * from andon_queues where name = @queue",
  lockQueueExclusive: "select * from andon_queues where name = @queue",
  drawNumber: "update andon_job_numbers set last = last + 1 returning last as number",
  feedLock: null,
  notify: null,
};
