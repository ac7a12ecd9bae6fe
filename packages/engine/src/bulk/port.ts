import type { Clock } from "../ports/clock.ts";
import type { BulkBoundary, BulkPresets, ChunkFacts, Tx } from "../ports/store.ts";
import type { HandlerContext } from "../worker/handler.ts";
import type { FlagWish } from "./abort-flags.ts";

/** The key in a worker's context under which a bulk handler finds its port. */
export const BULK = Symbol("andon.bulk");

/** The operations of a walk on its job. Every write throws CLAIM_LOST if the claim is lost. */
export interface BulkPort {
  readonly clock: Clock;
  begin(presets: BulkPresets): Promise<BulkBoundary>;
  /** Fixes the total together with what `total` writes. */
  start(total: (tx: Tx) => Promise<number | null>): Promise<number | null>;
  /** Commits a chunk: its writes, the cursor and the counts. `facts` is called after the writes. */
  commit(write: (tx: Tx) => Promise<void> | void, facts: () => ChunkFacts): Promise<BulkBoundary>;
  look(): Promise<BulkBoundary>;
  reserve(ms: number, credit: number, most: number): Promise<number>;
  /** Restarts the queue's timeout, or suspends it: a pause does not count against a chunk. */
  countTime(isOn: boolean): void;
  /**
   * An abort of this job is requested; set by a signal or a heartbeat, which may precede the next commit that reads it.
   */
  readonly isAskedToStop: boolean;
  /** Lets requests that were received while the last chunk was written run first: one of them may be an abort. */
  giveWay(): Promise<void>;
  /** Settles when this process has stored the abort request that it is recording; undefined if it is recording none. */
  wishUnderWay(): Promise<unknown> | undefined;
  onAsked(listener: () => void): () => void;
  /** Ends the walk as aborted: throws. */
  stop(flag: FlagWish | null): never;
}

/** Throws if a wrapper of the handler did not pass on the worker's context object. */
export function bulkPortOf(context: HandlerContext): BulkPort {
  const port = (context as HandlerContext & { [BULK]?: BulkPort })[BULK];
  if (!port)
    throw new Error("a bulk handler needs the context object of its worker, and cannot run isolated");
  return port;
}
