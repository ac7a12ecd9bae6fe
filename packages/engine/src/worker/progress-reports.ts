import type { Claim, ProgressRow, Store } from "../ports/store.ts";
import { firstOf } from "./batch.ts";

const MOST_AT_ONCE = 1_000;

/**
 * What the handlers of this process told since it was last written. It is written now and then, the jobs together; a job
 * that has ended is dropped from here, since its last progress is written with its end. So what waits here is never more
 * than one report per place, however many short jobs there are.
 */
export class ProgressReports {
  readonly #store: Pick<Store, "saveProgress">;
  readonly #told = new Map<number, Claim>();

  constructor(store: Pick<Store, "saveProgress">) {
    this.#store = store;
  }

  tell(claim: Claim): void {
    this.#told.set(claim.pos, claim);
  }

  ended(claim: Claim): void {
    if (this.#told.get(claim.pos) === claim) this.#told.delete(claim.pos);
  }

  /** What is told while it is written, or could not be written, waits for the next time. */
  async save(): Promise<void> {
    const waiting = [...this.#told.values()].map(reportOf);
    for (let from = 0; from < waiting.length; ) {
      const batch = waiting.slice(from, from + MOST_AT_ONCE);
      const count = firstOf(batch, MOST_AT_ONCE, ({ row }) => row.progress);
      const reports = batch.slice(0, count);
      await this.#store.saveProgress(reports.map(({ row }) => row));
      for (const { claim, row } of reports) if (claim.progress === row.progress) this.ended(claim);
      from += count;
    }
  }
}

function reportOf(claim: Claim): { claim: Claim; row: ProgressRow } {
  const { pos, fence, job } = claim;
  return { claim, row: { pos, fence, queue: job.queue, progress: claim.progress as string } };
}
