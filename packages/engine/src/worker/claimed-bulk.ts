import type { FlagWish } from "../bulk/abort-flags.ts";
import type { BulkPort } from "../bulk/port.ts";
import { wishUnderWay } from "../bulk/wishes-under-way.ts";
import type { Clock } from "../ports/clock.ts";
import type { BulkBoundary, BulkPresets, ChunkFacts, Claim, Store, Tx } from "../ports/store.ts";
import { beginBulk, commitChunk, inspectBulk, startBulk } from "../verbs/chunk.ts";
import { JobAborted } from "./handler.ts";

/** The port of a walk: its writes under the job's claim, and the abort requests that reach it. */
export class ClaimedBulk implements BulkPort {
  readonly #store: Store;
  readonly #claim: Claim;
  readonly #listeners = new Set<() => void>();
  readonly countTime: (isOn: boolean) => void;
  isAskedToStop = false;
  /** Set if the walk has ended because of an abort request. */
  stopped: { readonly flag: FlagWish | null } | undefined;

  constructor(store: Store, claim: Claim, { countTime }: Pick<BulkPort, "countTime">) {
    this.#store = store;
    this.#claim = claim;
    this.countTime = countTime;
  }

  get clock(): Clock {
    return this.#store.clock;
  }

  /** Called when an abort is requested: a pause ends now. */
  ask(): void {
    this.isAskedToStop = true;
    for (const listener of [...this.#listeners]) listener();
  }

  readonly onAsked = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  giveWay(): Promise<void> {
    return this.#store.giveWay();
  }

  wishUnderWay(): Promise<unknown> | undefined {
    return wishUnderWay(this.#store, this.#claim.job.id);
  }

  begin(presets: BulkPresets): Promise<BulkBoundary> {
    return beginBulk(this.#store, this.#claim, presets);
  }

  start(total: (tx: Tx) => Promise<number | null>): Promise<number | null> {
    return startBulk(this.#store, this.#claim, total);
  }

  commit(write: (tx: Tx) => Promise<void> | void, facts: () => ChunkFacts): Promise<BulkBoundary> {
    return commitChunk(this.#store, this.#claim, write, facts);
  }

  look(): Promise<BulkBoundary> {
    return inspectBulk(this.#store, this.#claim);
  }

  readonly reserve = (ms: number, credit: number, most: number): Promise<number> =>
    this.#store.reserveBulk(this.#claim.job.queue, ms, credit, most);

  stop(flag: FlagWish | null): never {
    this.stopped = { flag };
    throw new JobAborted("abort");
  }
}
