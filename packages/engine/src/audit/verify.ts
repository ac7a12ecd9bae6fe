import type { AuditHead, ChainedAuditRow } from "../ports/operator-rows.ts";
import type { Store } from "../ports/store.ts";
import { auditHash, GENESIS } from "./chain.ts";

/**
 * `changed`: a row's hash does not match its members and the previous hash. `missing`: a sequence number is absent.
 * `cut-off`: the stored head names more rows, or another last row.
 */
export type ChainProblem = "changed" | "missing" | "cut-off";

export interface AuditVerdict {
  holds: boolean;
  /** The number of rows, up to the first break. */
  rows: number;
  /** An earlier check verified the rows up to this number, and they were not read again. 0: all were read. */
  checkedBefore: number;
  /** The hash of the last row. Rewriting the whole chain changes it, so keep a copy elsewhere. */
  head: string;
  /** The first place where the chain does not hold. */
  broken: { seq: number; id: string | null; problem: ChainProblem } | null;
}

export interface VerifyOptions {
  /** Reads the whole log. Default: the rows since the last check, and 5,000 before them. */
  full?: boolean | undefined;
}

/** Hashing this many rows blocks the event loop for about 3 ms. */
const AT_ONCE = 250;
/** How many verified rows every check reads again, so that a log of usual length is always checked whole. */
const ALWAYS_READ = 5_000;
/** A check is stored only after this many new rows: storing it sooner would save the next check almost nothing. */
const KEPT_EVERY = 1_000;

const underway = new WeakMap<Store, Map<boolean, Promise<AuditVerdict>>>();

/**
 * A call during a check gets the verdict of that check, which reads up to the head as it is at the end of the check.
 */
export function verifyAudit(store: Store, { full = false }: VerifyOptions = {}): Promise<AuditVerdict> {
  const checks = underway.get(store) ?? new Map<boolean, Promise<AuditVerdict>>();
  underway.set(store, checks);
  const known = checks.get(full);
  if (known) return known;
  const check = verify(store, full).finally(() => checks.delete(full));
  checks.set(full, check);
  return check;
}

/** Walks the chain of the audit log to its head, a few hundred rows at a time. */
async function verify(store: Store, full: boolean): Promise<AuditVerdict> {
  const checked = await store.read.auditChecked();
  const checkedBefore = full ? 0 : Math.max(0, (checked?.seq ?? 0) - ALWAYS_READ);
  const walk = await walkFrom(store, checkedBefore, checked);
  const { last, broken } = walk;
  if (!broken && last.seq >= (checked?.seq ?? 0) + KEPT_EVERY)
    await store.transaction("audit-checked", (tx) => tx.saveAuditChecked(last));
  return { holds: broken === null, rows: last.seq, checkedBefore, head: last.hash, broken };
}

interface Walk {
  last: AuditHead;
  broken: AuditVerdict["broken"];
}

async function walkFrom(store: Store, start: number, checked: AuditHead | undefined): Promise<Walk> {
  let last: AuditHead = { seq: 0, hash: GENESIS };
  if (start > 0) {
    const [first] = await store.read.auditChain(start - 1, 1);
    if (first?.seq !== start) return { last, broken: { seq: start, id: null, problem: "missing" } };
    last = { seq: start, hash: first.hash };
  }
  for (;;) {
    const rows = await store.read.auditChain(last.seq, AT_ONCE);
    for (const row of rows) {
      const broken = brokenAt(last, row, checked);
      if (broken) return { last, broken };
      last = { seq: row.seq, hash: row.hash };
    }
    if (rows.length > 0) continue;
    // The head is read after the rows, so it can only be ahead of them: either there are new rows, or rows were
    // removed.
    const head = await store.read.auditHead();
    if (head.seq > last.seq && (await store.read.auditChain(last.seq, 1)).length > 0) continue;
    return { last, broken: brokenEnd(last, head, checked) };
  }
}

function brokenAt(
  last: AuditHead,
  row: ChainedAuditRow,
  checked: AuditHead | undefined,
): AuditVerdict["broken"] {
  const seq = last.seq + 1;
  if (row.seq !== seq) return { seq, id: null, problem: "missing" };
  const isAsChecked = row.seq !== checked?.seq || row.hash === checked.hash;
  return isAsChecked && row.hash === auditHash(last.hash, row)
    ? null
    : { seq, id: row.id, problem: "changed" };
}

function brokenEnd(last: AuditHead, head: AuditHead, checked: AuditHead | undefined): AuditVerdict["broken"] {
  const isWhole = head.seq === last.seq && head.hash === last.hash && last.seq >= (checked?.seq ?? 0);
  return isWhole ? null : { seq: last.seq + 1, id: null, problem: "cut-off" };
}
