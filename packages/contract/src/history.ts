import * as z from "zod";
import { durationFrom } from "./duration.ts";

const DAY_MS = 86_400_000;
/** A reader of the feed that lost its connection goes on where it stood: it needs what came meanwhile. */
const SHORTEST_KEEP_MS = 60_000;
const kept = durationFrom(SHORTEST_KEEP_MS);

/** How long history is kept. The audit log is a chain of hashes, and is kept whole. */
export const historySchema = z.strictObject({
  events: kept.default(7 * DAY_MS).describe("How long rows of the feed are kept."),
  attempts: kept
    .default(30 * DAY_MS)
    .describe(
      "How long failed attempts of jobs that are still there are kept; those of purged jobs go with them.",
    ),
  stops: kept
    .default(365 * DAY_MS)
    .describe("How long certificates of stops are kept. A queue that is still stopped keeps its own."),
});
export type History = z.output<typeof historySchema>;
export type HistoryInput = z.input<typeof historySchema>;
