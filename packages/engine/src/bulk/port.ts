import type { Clock } from "../ports/clock.ts";
import type { BulkBoundary, BulkPresets, ChunkFacts, Tx } from "../ports/store.ts";
import type { HandlerContext } from "../worker/handler.ts";
import type { FlagWish } from "./abort-flags.ts";

/** Where a worker's context has what only a bulk handler needs of it. */
export const BULK = Symbol("andon.bulk");

/** What a walk does with its job. Every write throws CLAIM_LOST where the claim no longer stands. */
export interface BulkPort {
  readonly clock: Clock;
  begin(presets: BulkPresets): Promise<BulkBoundary>;
  /** Fixes the total together with what `total` writes. */
  start(total: (tx: Tx) => Promise<number | null>): Promise<number | null>;
  /** Commits a chunk: its writes, the cursor and the counts. `facts` is asked after the writes. */
  commit(write: (tx: Tx) => Promise<void> | void, facts: () => ChunkFacts): Promise<BulkBoundary>;
  look(): Promise<BulkBoundary>;
  reserve(ms: number, credit: number, most: number): Promise<number>;
  /** Starts the queue's timeout anew, or suspends it: a pause is not charged to a chunk. */
  countTime(isOn: boolean): void;
  /** The beat has told that somebody wants this job to stop; it may be told before the next commit reads it. */
  readonly isAskedToStop: boolean;
  /** Lets requests that came while the last chunk was written have their turn: an abort may be among them. */
  giveWay(): Promise<void>;
  /** Settles when what this process is recording of a wish is recorded; undefined where there is nothing to wait for. */
  wishUnderWay(): Promise<unknown> | undefined;
  onAsked(listener: () => void): () => void;
  /** Ends the walk as aborted: throws. */
  stop(flag: FlagWish | null): never;
}

/** A wrapper of handlers has to hand on the context that the worker gave. */
export function bulkPortOf(context: HandlerContext): BulkPort {
  const port = (context as HandlerContext & { [BULK]?: BulkPort })[BULK];
  if (!port)
    throw new Error("a bulk handler needs the context that its worker gave, and runs in no isolation");
  return port;
}
