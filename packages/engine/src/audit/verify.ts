import type { ChainedAuditRow, Store } from "../ports/store.ts";
import { auditHash, GENESIS } from "./chain.ts";

/**
 * `changed`: its hash does not fit it and the row before it. `missing`: a number is left out. `cut-off`: the head says
 * that there were more rows, or another last one. `unchained`: a row without a number that no old version wrote.
 */
export type ChainProblem = "changed" | "missing" | "cut-off" | "unchained";

export interface AuditVerdict {
  holds: boolean;
  /** How many rows of the chain were checked. */
  rows: number;
  /** The hash of the last row. Who rewrites the whole chain changes it: keep it elsewhere. */
  head: string;
  /** The first place where the chain does not hold. */
  broken: { seq: number; id: string | null; problem: ChainProblem } | null;
}

const AT_ONCE = 1_000;

interface Link {
  seq: number;
  hash: string;
}

/** Walks the chain of the audit log from its first row to its head, a thousand rows at a time. */
export async function verifyAudit(store: Store): Promise<AuditVerdict> {
  let last: Link = { seq: 0, hash: GENESIS };
  for (;;) {
    const rows = await store.read.auditChain(last.seq, AT_ONCE);
    for (const row of rows) {
      const broken = brokenAt(last, row);
      if (broken) return { holds: false, rows: last.seq, head: last.hash, broken };
      last = row;
    }
    if (rows.length > 0) continue;
    // Read after the rows, so that it can only be ahead of them: then there are new rows to read, or they were removed.
    const head = await store.read.auditHead();
    if (head.seq > last.seq && (await store.read.auditChain(last.seq, 1)).length > 0) continue;
    const broken = brokenEnd(last, head);
    return { holds: broken === null, rows: last.seq, head: last.hash, broken };
  }
}

function brokenAt(last: Link, row: ChainedAuditRow): AuditVerdict["broken"] {
  const seq = last.seq + 1;
  if (row.seq !== seq) return { seq, id: null, problem: "missing" };
  return row.hash === auditHash(last.hash, row) ? null : { seq, id: row.id, problem: "changed" };
}

function brokenEnd(
  last: Link,
  head: Link & { unchained: number; foundUnchained: number },
): AuditVerdict["broken"] {
  if (head.seq !== last.seq || head.hash !== last.hash)
    return { seq: last.seq + 1, id: null, problem: "cut-off" };
  if (head.unchained !== head.foundUnchained) return { seq: 0, id: null, problem: "unchained" };
  return null;
}
