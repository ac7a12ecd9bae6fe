import type { AbortFlag } from "@andon/engine";

/** A wish to abort, as a flag carries it. */
export interface FlaggedWish {
  readonly by: string;
  /** Whose jobs it may stop; null: anybody's. */
  readonly tenantId: string | null;
  /** The same for an organisation of the tenant. */
  readonly organizationId: string | null;
  readonly reason: string | null;
  readonly requestedAt: number;
}

/** Where wishes to abort are left beside the store's own rows, so that an abort gets through while the database is in trouble. */
export interface AbortFlags {
  /** What a walk asks before each chunk. */
  readonly asked: readonly AbortFlag[];
  /** Leaves a wish. False where it could not be left: then only the store carries it. */
  set(jobId: string, wish: FlaggedWish): Promise<boolean>;
  /** Leaves a wish again that the store has: it stays as long as if it were new. */
  renew(jobId: string, wish: FlaggedWish): Promise<void>;
  /**
   * Takes back a wish that was asked for at this time or before; a later one stays. It does not fail: a flag from before the last
   * resume is ignored, and it expires.
   */
  clear(jobId: string, upTo: number): Promise<void>;
  /** Throws where it does not answer. */
  ping(): Promise<void>;
  /** The same, for somebody who has just opened it: waits so long for the connection. */
  connected(withinMs: number): Promise<void>;
  /** How often a flag has to be left again so that it does not expire. */
  readonly renewEveryMs: number;
  readonly isSeparate: boolean;
  close(): Promise<void>;
}

/** The store alone: its wish is read by the statement that commits a chunk. */
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
