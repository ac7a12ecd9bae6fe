import { bytesIn, firstOf } from "../batch.ts";
import type { Claim, ProgressRow, Store } from "../ports/store.ts";

const MOST_AT_ONCE = 1_000;

type ReportStore = Pick<Store, "saveProgress" | "refuses">;

interface Report {
  readonly claim: Claim;
  readonly row: ProgressRow;
}

/**
 * The progress that the handlers of this process have reported since the last write. It is written periodically, for
 * all jobs together. A job that has ended is removed, since its last progress is written with its end: so there is
 * never more than one report per place, however many short jobs there are.
 */
export class ProgressReports {
  readonly #store: ReportStore;
  readonly #onError: (error: unknown) => void;
  readonly #told = new Map<number, Claim>();

  constructor({ store, onError }: { store: ReportStore; onError: (error: unknown) => void }) {
    this.#store = store;
    this.#onError = onError;
  }

  get isEmpty(): boolean {
    return this.#told.size === 0;
  }

  tell(claim: Claim): void {
    this.#told.set(claim.pos, claim);
  }

  ended(claim: Claim): void {
    if (this.#told.get(claim.pos) === claim) this.#told.delete(claim.pos);
  }

  /** Progress that is reported during the write, or could not be written, waits for the next save. */
  async save(): Promise<void> {
    const waiting = [...this.#told.values()].map(reportOf);
    for (let from = 0; from < waiting.length; ) {
      const batch = waiting.slice(from, from + MOST_AT_ONCE);
      const count = firstOf(batch, MOST_AT_ONCE, ({ row }) => bytesIn(row.progress));
      await this.#write(batch.slice(0, count));
      from += count;
    }
  }

  /**
   * If the store refuses the reports, they are written in halves, and the one at fault is dropped, so that the others
   * are shown.
   */
  async #write(reports: readonly Report[]): Promise<void> {
    try {
      await this.#store.saveProgress(reports.map(({ row }) => row));
    } catch (error) {
      if (!this.#store.refuses(error)) throw error;
      if (reports.length > 1) {
        const half = reports.length >> 1;
        await this.#write(reports.slice(0, half));
        return this.#write(reports.slice(half));
      }
      this.#onError(error);
    }
    for (const { claim, row } of reports) if (claim.progress === row.progress) this.ended(claim);
  }
}

function reportOf(claim: Claim): Report {
  const { pos, fence, job } = claim;
  return { claim, row: { pos, fence, queue: job.queue, progress: claim.progress as string } };
}
