import type { AbortWish } from "@andon/contract";

/** A wish to abort as it is stored. `noun` is what the audit log calls the job. */
export interface StoredAbortWish extends AbortWish {
  noun: string;
}

/** What is kept of a bulk job beside its cursor. */
export interface BulkRow {
  pos: number;
  processed: number;
  total: number | null;
  /** When its total was fixed. */
  startedAt: number | null;
  resumedAt: number | null;
  /** Null: nobody has set it yet; 0: none. */
  pauseMs: number | null;
  maxPerSecond: number | null;
  queueMaxPerSecond: number | null;
  /** Items per second, as the worker saw them last. */
  rate: number | null;
  /** The longest of its last chunks. */
  chunkMs: number | null;
  chunkAt: number | null;
  slowMs: number | null;
  slowLimitMs: number | null;
}

/** What a walk learns at a boundary: how far the job is, how fast it may go, and whether somebody wants it to stop. */
export interface BulkBoundary extends BulkRow {
  wish: StoredAbortWish | null;
}

/** What holds for a job where nobody has set anything for it. */
export interface BulkPresets {
  pauseMs: number;
  maxPerSecond: number;
  queueMaxPerSecond: number | null;
}

/** What a chunk adds to its job. `cursor` is JSON text by now. */
export interface ChunkFacts {
  cursor: string;
  count: number;
  rate: number | null;
  chunkMs: number;
  slowMs: number | null;
  slowLimitMs: number | null;
}
