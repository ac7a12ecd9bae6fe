import type { AbortWish } from "@andon/contract";

/** An abort request as stored. `noun` is what the audit log calls the job. */
export interface StoredAbortWish extends AbortWish {
  noun: string;
}

/** The stored data of a bulk job beside its cursor. */
export interface BulkRow {
  pos: number;
  processed: number;
  total: number | null;
  /** When its total was fixed. */
  startedAt: number | null;
  resumedAt: number | null;
  /** Null: not set yet; 0: no pause. */
  pauseMs: number | null;
  maxPerSecond: number | null;
  queueMaxPerSecond: number | null;
  /** Items per second, as the worker last measured them. */
  rate: number | null;
  /** The duration of the longest of its last chunks. */
  chunkMs: number | null;
  chunkAt: number | null;
  slowMs: number | null;
  slowLimitMs: number | null;
}

/** What a walk reads at a boundary: the progress of the job, its throttle, and whether an abort is requested. */
export interface BulkBoundary extends BulkRow {
  wish: StoredAbortWish | null;
}

/** The defaults of a job for which nothing else is set. */
export interface BulkPresets {
  pauseMs: number;
  maxPerSecond: number;
  queueMaxPerSecond: number | null;
}

/** What a chunk stores with its job. `cursor` is JSON text. */
export interface ChunkFacts {
  cursor: string;
  count: number;
  rate: number | null;
  chunkMs: number;
  slowMs: number | null;
  slowLimitMs: number | null;
}
