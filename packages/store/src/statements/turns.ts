import { alongIndex } from "./along-index.ts";

/** The turns of one queue by their number, however long it has rested while others had theirs. */
export const FIRST_TURNS = alongIndex({ queue: "@queue" }, ["id"]);
export const LAST_TURNS = alongIndex({ queue: "@queue" }, ["id"], " desc");

/** Those before a turn, from the last one on. */
export const TURNS_BEFORE = "(queue, id) > (@queue, 0) and (queue, id) < (@queue, @before)";
export const NEWEST_TURNS = `order by ${LAST_TURNS.order}`;

/** A number behind those of all turns. */
export const BEHIND_ALL = Number.MAX_SAFE_INTEGER;
