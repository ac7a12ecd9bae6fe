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

/** In a pause the job's row is read this often: somebody may have changed its throttle, and a signal may get lost. */
const LONGEST_SLICE_MS = 2_000;

/** A wish is being recorded: the chunk's transaction has no writes yet and gives way to it. */
class WishFirst extends Error {}

/** Options with what is preset, for one job. */
export interface WalkPlan<Row, Payload> extends Pick<BulkOptions<Row, Payload>, "read" | "write" | "total"> {
  readonly cursorOf: (row: Row) => unknown;
  readonly chunkSize: number;
  readonly throttle: { readonly pauseMs: number; readonly maxPerSecond: number };
  readonly queueMaxPerSecond: number | null;
  readonly maxCommitMs: number | undefined;
  readonly flags: NonNullable<BulkOptions<Row, Payload>["flags"]>;
}

/**
 * One walk through a source, from the cursor to the end, or until somebody wants it to stop. A round is: wait as the throttle
 * says, look whether to stop, read a chunk, commit it. It stops nowhere else, so that what is done is whole chunks.
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
      // Between reading and writing: a signal that came meanwhile (timeout, shutdown, a lost claim) has nothing to undo yet.
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

  /** Commits a chunk; stops instead where an abort came before its first write. */
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
        // A wish that came while the chunk was read, or waited for its transaction, does not wait for the chunk too: it has no writes yet.
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

  /** Waits until the next chunk may begin, or somebody wants the job to stop; returns the newest that is known of it. */
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

  /** Undefined: nobody wants it to stop. Null: the store knows the wish. Else it is a flag's. */
  async #wish(at: BulkBoundary): Promise<FlagWish | null | undefined> {
    if (at.wish || this.#port.isAskedToStop) return null;
    return (await this.#flagged(at)) ?? undefined;
  }

  #flagged(at: BulkBoundary): Promise<FlagWish | null> {
    return askFlags(this.#port.clock, this.#plan.flags, this.#job, at.resumedAt);
  }

  /** Whether the last chunk was quicker than the wish: then nothing is left to abort. */
  async #isAtEnd({ total, processed }: BulkBoundary): Promise<boolean> {
    if (total !== null && processed < total) return false;
    try {
      return (await this.#plan.read(this.#cursor, 1, this.#context, this.#job)).length === 0;
    } catch {
      // Whoever aborts may do so because the source is in trouble.
      return false;
    }
  }
}
