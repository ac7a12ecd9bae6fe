import type { Job } from "@andon/contract";
import { jsonText } from "../json-text.ts";
import type { BulkBoundary } from "../ports/store.ts";
import type { HandlerContext } from "../worker/handler.ts";
import { askFlags, type FlagWish } from "./abort-flags.ts";
import type { BulkOptions, BulkResult } from "./bulk.ts";
import { ChunkTimes } from "./chunk-times.ts";
import { HealthGate } from "./health-gate.ts";
import { pauseFor } from "./pause.ts";
import type { BulkPort } from "./port.ts";
import { Throttle } from "./throttle.ts";

/** During a pause the job's row is read this often: its throttle may have changed, and a signal may have been lost. */
const LONGEST_SLICE_MS = 2_000;

/** An abort request is being recorded: the chunk's transaction, which has no writes yet, gives way to it. */
class WishFirst extends Error {}

/** The options for one job, with the defaults filled in. */
export interface WalkPlan<Row, Payload> extends Pick<BulkOptions<Row, Payload>, "read" | "write" | "total"> {
  readonly cursorOf: (row: Row) => unknown;
  readonly chunkSize: number;
  readonly throttle: { readonly pauseMs: number; readonly maxPerSecond: number };
  readonly queueMaxPerSecond: number | null;
  readonly maxCommitMs: number | undefined;
  readonly flags: NonNullable<BulkOptions<Row, Payload>["flags"]>;
}

/**
 * One walk through a source, from the cursor to the end or to an abort. Each round waits as the throttle requires,
 * checks for an abort, reads a chunk and commits it. A walk stops nowhere else, so that it processes whole chunks only.
 */
export class Walk<Row, Payload> {
  readonly #plan: WalkPlan<Row, Payload>;
  readonly #job: Job<Payload>;
  readonly #context: HandlerContext;
  readonly #port: BulkPort;
  readonly #gate: HealthGate;
  readonly #times = new ChunkTimes();
  #cursor: unknown;

  constructor(plan: WalkPlan<Row, Payload>, job: Job<Payload>, context: HandlerContext, port: BulkPort) {
    this.#plan = plan;
    this.#job = job;
    this.#context = context;
    this.#port = port;
    this.#gate = new HealthGate(plan.maxCommitMs);
    this.#cursor = job.cursor;
  }

  async run(): Promise<BulkResult> {
    const { throttle: presets, queueMaxPerSecond, chunkSize } = this.#plan;
    let at = await this.#begin({ ...presets, queueMaxPerSecond });
    const { clock, reserve } = this.#port;
    const throttle = new Throttle({ clock, gate: this.#gate, reserve }, at, chunkSize);
    for (;;) {
      at = await this.#wait(throttle, at);
      await this.#port.giveWay();
      await this.#port.wishUnderWay();
      const wish = await this.#wish(at);
      if (wish !== undefined) {
        if (await this.#isAtEnd(at)) return { processed: at.processed, total: at.total };
        this.#port.stop(wish);
      }
      this.#port.countTime(true);
      const begunAt = clock.monotonic();
      const limit = throttle.limit(chunkSize);
      const rows = await this.#plan.read(this.#cursor, limit, this.#context, this.#job);
      if (rows.length === 0) return { processed: at.processed, total: at.total };
      if (rows.length > limit)
        throw new RangeError(`read was asked for ${limit} items and returned ${rows.length}`);
      // After reading and before writing: a signal received meanwhile (timeout, shutdown, a lost claim) leaves nothing
      // to undo.
      this.#context.signal.throwIfAborted();
      at = await this.#commit(rows, begunAt);
      throttle.update(at);
      throttle.took(rows.length, begunAt);
    }
  }

  async #begin(presets: Parameters<BulkPort["begin"]>[0]): Promise<BulkBoundary> {
    const at = await this.#port.begin(presets);
    const { total } = this.#plan;
    if (!total || at.startedAt !== null || at.wish) return at;
    const fixed = await this.#port.start(async (tx) => (await total(tx, this.#job, this.#context)) ?? null);
    return { ...at, total: fixed };
  }

  /** Commits a chunk; stops instead if an abort was requested before its first write. */
  async #commit(rows: readonly Row[], begunAt: number): Promise<BulkBoundary> {
    for (;;) {
      try {
        return await this.#write(rows, begunAt);
      } catch (error) {
        if (!(error instanceof WishFirst)) throw error;
        await this.#port.wishUnderWay();
      }
    }
  }

  async #write(rows: readonly Row[], begunAt: number): Promise<BulkBoundary> {
    const { write, cursorOf } = this.#plan;
    const { clock } = this.#port;
    const cursor = cursorOf(rows.at(-1) as Row);
    const text = jsonText("cursor", cursor ?? null);
    let sentAt = 0;
    const at = await this.#port.commit(
      (tx) => {
        // The chunk has no writes yet, so an abort requested while it was read, or while it waited for its transaction,
        // stops it here.
        if (this.#port.isAskedToStop) this.#port.stop(null);
        if (this.#port.wishUnderWay()) throw new WishFirst();
        sentAt = clock.monotonic();
        return write(tx, rows, this.#context, this.#job);
      },
      () => {
        const now = clock.monotonic();
        const slowMs = this.#gate.slowWith(now - sentAt);
        return {
          cursor: text,
          count: rows.length,
          rate: this.#times.rateWith(rows.length, now),
          chunkMs: this.#times.longestWith(now - begunAt),
          slowMs,
          slowLimitMs: slowMs === null ? null : this.#gate.limitMs,
        };
      },
    );
    const now = clock.monotonic();
    this.#cursor = cursor ?? null;
    this.#gate.answered(now - sentAt);
    this.#times.add({ at: now, items: rows.length, ms: now - begunAt });
    this.#context.progress({ processed: at.processed, total: at.total });
    return at;
  }

  /** Waits until the next chunk may begin or an abort is requested; returns the newest known state of the job. */
  async #wait(throttle: Throttle, at: BulkBoundary): Promise<BulkBoundary> {
    const { signal } = this.#context;
    let known = at;
    if (known.wish) return known;
    this.#port.countTime(false);
    await throttle.reserve(this.#plan.chunkSize);
    for (;;) {
      signal.throwIfAborted();
      const ms = throttle.waitMs();
      if (ms <= 0 || this.#port.isAskedToStop) return known;
      await pauseFor(this.#port, signal, Math.min(ms, LONGEST_SLICE_MS));
      signal.throwIfAborted();
      if (ms <= LONGEST_SLICE_MS && !this.#port.isAskedToStop) return known;
      known = await this.#port.look();
      if (known.wish || (await this.#flagged(known))) return known;
      throttle.update(known);
    }
  }

  /** Undefined: no abort is requested. Null: the request is in the store. Otherwise: the request of a flag. */
  async #wish(at: BulkBoundary): Promise<FlagWish | null | undefined> {
    if (at.wish || this.#port.isAskedToStop) return null;
    return (await this.#flagged(at)) ?? undefined;
  }

  #flagged(at: BulkBoundary): Promise<FlagWish | null> {
    return askFlags(this.#port.clock, this.#plan.flags, this.#job, at.resumedAt);
  }

  /** Whether the source ended before the abort could stop it: then nothing is left to abort. */
  async #isAtEnd({ total, processed }: BulkBoundary): Promise<boolean> {
    if (total !== null && processed < total) return false;
    try {
      return (await this.#plan.read(this.#cursor, 1, this.#context, this.#job)).length === 0;
    } catch {
      // A failing source may be the reason for the abort, so it must not prevent the abort.
      return false;
    }
  }
}
