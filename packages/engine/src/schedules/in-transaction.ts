import { AndonError } from "@andon/contract";
import type { Store, StoreTx } from "../ports/store.ts";

export interface InTransaction {
  /** The `tx` of a transaction of this Andon: the schedule is stored with the caller's own rows, or not at all. */
  readonly tx?: unknown;
}

/**
 * Runs a change of a schedule in the caller's transaction, or in one of its own. The change writes to the audit log, whose
 * rows are chained just before the commit: only Andon commits such a transaction, so a caller's own connection is refused.
 */
export async function inTransaction<T>(
  store: Store,
  verb: string,
  { tx: given }: InTransaction,
  change: (tx: StoreTx) => Promise<T>,
): Promise<T> {
  if (given === undefined) return store.transaction(verb, change);
  const tx = await store.join(given);
  if (tx === given) return change(tx);
  throw new AndonError("INVALID_OPTION", {
    where: { en: "the schedule's options", ko: "스케줄 옵션" },
    option: "tx",
    given: { en: "a connection", ko: "연결" },
    allowed: { en: "the `tx` of a transaction of this Andon", ko: "이 Andon의 트랜잭션이 준 `tx`" },
  });
}
