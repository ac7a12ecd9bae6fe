import { type BulkOptions, type BulkSettings, bulk, type Handler, type Queue } from "@andon/engine";
import type { Bench } from "./harness.ts";

/** The argument of a source's `write`, for the hooks of this class. */
type Chunk = readonly number[];

/** Items 1 to `size`, and a table of which job wrote which of them, with a unique constraint. */
export class BulkSource {
  readonly #bench: Bench;
  size: number;
  /** Chunks as passed to `write`, including those that were rolled back. */
  readonly chunks: Chunk[] = [];
  /** Called before a chunk is read. */
  beforeRead: (cursor: number) => Promise<void> | void = () => {};
  /** Called in the transaction, after the chunk's rows are written. */
  inWrite: (chunk: Chunk) => Promise<void> | void = () => {};
  totals = 0;

  private constructor(bench: Bench, size: number) {
    this.#bench = bench;
    this.size = size;
  }

  static async open(bench: Bench, size: number): Promise<BulkSource> {
    await bench.andon.transaction((tx) =>
      tx.query("create table items (job text not null, n integer not null, primary key (job, n))"),
    );
    return new BulkSource(bench, size);
  }

  options(settings: BulkSettings = {}): BulkOptions<number> {
    return {
      settings: { chunkSize: 10, ...settings },
      total: () => {
        this.totals++;
        return this.size;
      },
      read: async (cursor, limit) => {
        const after = (cursor as number | null) ?? 0;
        await this.beforeRead(after);
        const count = Math.max(0, Math.min(limit, this.size - after));
        return Array.from({ length: count }, (_, index) => after + index + 1);
      },
      write: async (tx, rows, _, job) => {
        this.chunks.push(rows);
        for (const n of rows) await tx.query("insert into items (job, n) values ($1, $2)", [job.id, n]);
        await this.inWrite(rows);
      },
      cursorOf: (row) => row,
    };
  }

  handler(settings?: BulkSettings): Handler {
    return bulk(this.options(settings));
  }

  /** The items that a job has written, in order. */
  async written(id: string): Promise<number[]> {
    const rows = await this.#bench.andon.transaction((tx) =>
      tx.query<{ n: number }>("select n from items where job = $1 order by n", [id]),
    );
    return rows.map(({ n }) => n);
  }

  upTo(last: number): number[] {
    return Array.from({ length: last }, (_, index) => index + 1);
  }

  /** Holds the walk before the chunk after this cursor until `letGo` is called. */
  standBefore(cursor: number): { reached: () => boolean; letGo: () => void } {
    let isReached = false;
    let letGo = () => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    this.beforeRead = async (after) => {
      if (after !== cursor) return;
      isReached = true;
      await gate;
    };
    return { reached: () => isReached, letGo };
  }
}

/** Starts a job of this source that is held before the chunk after a cursor. */
export async function walkingAt(
  bench: Bench,
  queue: Queue,
  source: BulkSource,
  cursor: number,
  settings?: BulkSettings,
) {
  const gate = source.standBefore(cursor);
  const worker = await queue.work(source.handler(settings), { places: 1 });
  const { id } = await queue.add("walk", { key: "category" });
  await bench.passUntil(`the walk is at ${cursor}`, gate.reached);
  return { id, letGo: gate.letGo, worker };
}
