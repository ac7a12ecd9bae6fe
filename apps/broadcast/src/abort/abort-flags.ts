import type { AbortFlag } from "@andon/engine";

/** A request to abort, as a flag carries it. */
export interface FlaggedWish {
  readonly by: string;
  /** The tenant whose jobs it may stop; null: any tenant. */
  readonly tenantId: string | null;
  /** The organisation of the tenant whose jobs it may stop; null: any organisation. */
  readonly organizationId: string | null;
  readonly reason: string | null;
  readonly requestedAt: number;
}

/** Keeps abort requests outside the store, so that an abort reaches its worker while the database is in trouble. */
export interface AbortFlags {
  /** The flags that a walk checks before each chunk. */
  readonly asked: readonly AbortFlag[];
  /** Sets the flag. False if that failed: then only the store carries the abort. */
  set(jobId: string, wish: FlaggedWish): Promise<boolean>;
  /** Sets the flag of an abort that the store has recorded, and restarts its time to live. */
  renew(jobId: string, wish: FlaggedWish): Promise<void>;
  /**
   * Removes a flag that was requested at this time or earlier; a later one stays. Never fails: a flag older than the last
   * resume is ignored, and it expires.
   */
  clear(jobId: string, upTo: number): Promise<void>;
  /** Throws if Redis does not answer. */
  ping(): Promise<void>;
  /** Like `ping`, for a client that has just been created: waits this long for the connection. */
  connected(withinMs: number): Promise<void>;
  /** How often a flag must be set again so that it does not expire. */
  readonly renewEveryMs: number;
  readonly isSeparate: boolean;
  close(): Promise<void>;
}

/** No separate flags: the statement that commits a chunk reads the abort request from the store. */
export const STORE_FLAGS: AbortFlags = {
  asked: [],
  isSeparate: false,
  renewEveryMs: Number.POSITIVE_INFINITY,
  set: async () => false,
  renew: async () => {},
  clear: async () => {},
  ping: async () => {},
  connected: async () => {},
  close: async () => {},
};
