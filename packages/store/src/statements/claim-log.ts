import { alongIndex } from "./along-index.ts";

/** The entries of one queue by their number, however long it has rested while others had theirs. */
export const FIRST_OF_CLAIM_LOG = alongIndex({ queue: "@queue" }, ["id"]);
export const LAST_OF_CLAIM_LOG = alongIndex({ queue: "@queue" }, ["id"], " desc");

/** Those before an entry, from the last one on. */
export const CLAIM_LOG_BEFORE = "(queue, id) > (@queue, 0) and (queue, id) < (@queue, @before)";
export const NEWEST_OF_CLAIM_LOG = `order by ${LAST_OF_CLAIM_LOG.order}`;

/** A number behind those of all entries. */
export const BEHIND_ALL = Number.MAX_SAFE_INTEGER;
