import { alongIndex } from "./along-index.ts";

/** The entries of one queue by number; cheap also for a queue that rested while other queues wrote many. */
export const FIRST_OF_CLAIM_LOG = alongIndex({ queue: "@queue" }, ["id"]);
export const LAST_OF_CLAIM_LOG = alongIndex({ queue: "@queue" }, ["id"], " desc");

/** Entries before a given one, from the last one on. */
export const CLAIM_LOG_BEFORE = "(queue, id) > (@queue, 0) and (queue, id) < (@queue, @before)";
export const NEWEST_OF_CLAIM_LOG = `order by ${LAST_OF_CLAIM_LOG.order}`;

/** Greater than the number of any entry. */
export const BEHIND_ALL = Number.MAX_SAFE_INTEGER;
