/*
 * The last turns of one queue. Rows are compared with the index on both columns: for `queue = … order by id desc`
 * PostgreSQL may as well walk the turns of all queues by their number, however long this queue has rested.
 */
export const TURNS_BEFORE = "(queue, id) > (@queue, 0) and (queue, id) < (@queue, @before)";
export const NEWEST_TURNS = "order by queue desc, id desc";

/** A number behind those of all turns. */
export const BEHIND_ALL = Number.MAX_SAFE_INTEGER;
