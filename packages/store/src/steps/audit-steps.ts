import { type AuditHead, auditHash, GENESIS, type NewAuditRow, newId } from "@andon/engine";
import { scopeValues } from "./in-scope.ts";
import { eachBatch, type StepContext, shared } from "./statement-registry.ts";

/** Locks the head, which the first row creates; a transaction that waited for it reads where the previous one ended. */
const lockHead = shared(
  "audit-head-lock",
  () => `insert into andon_audit_head (id, seq, hash) values (1, 0, @genesis)
on conflict (id) do update set seq = andon_audit_head.seq returning seq, hash`,
);
const saveHead = shared(
  "audit-head-save",
  () => "update andon_audit_head set seq = @seq, hash = @hash where id = 1",
);
const ROW = {
  id: "text",
  actor: "text",
  action: "text",
  target: "text",
  reason: "text",
  before_json: "text",
  after_json: "text",
  hash: "text",
  tenant: "text",
  organization: "text",
  job_id: "text",
} as const;
/** `n` is the place in the chain. */
const addAll = shared(
  "audit-add",
  (
    d,
  ) => `insert into andon_audit (id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization)
select r.id, r.actor, cast(@at as bigint), r.action, r.target, r.reason, r.before_json, r.after_json, r.n, r.hash,
  coalesce(r.tenant, (select j.tenant from andon_jobs j where j.id = r.job_id)),
  coalesce(r.organization, (select j.organization from andon_jobs j where j.id = r.job_id))
from ${d.records("rows", ROW)} order by r.n`,
);

const saveChecked = shared(
  "audit-checked-save",
  () => `insert into andon_audit_checked (id, seq, hash) values (1, @seq, @hash)
on conflict (id) do update set seq = excluded.seq, hash = excluded.hash where andon_audit_checked.seq < excluded.seq`,
);

/** If two checks run at once, the one that came further counts. */
export async function saveAuditChecked(at: StepContext, { seq, hash }: AuditHead): Promise<void> {
  await at.session.run(saveChecked(at.dialect), { seq, hash });
}

const JOB_TARGET = "job:";

/**
 * Appends rows to the chain. The head stays locked until the commit, so that the chain follows the order of commits and
 * has no gap. Therefore it is written at the end (SqlStoreTx.flush), before the feed's lock is taken.
 */
export async function chainAudit(at: StepContext, rows: readonly NewAuditRow[]): Promise<void> {
  if (rows.length === 0) return;
  const [head] = await at.session.all<{ seq: number; hash: string }>(lockHead(at.dialect), {
    genesis: GENESIS,
  });
  let { seq, hash } = head as { seq: number; hash: string };
  // All rows are hashed and sent at once, so the saved head is the last row's.
  const added = eachBatch(rows, (batch) => {
    const values = batch.map(({ tenant, organization, before, after, ...row }) => {
      const before_json = JSON.stringify(before ?? null);
      const after_json = JSON.stringify(after ?? null);
      const plain = { ...row, id: newId(at.now) };
      // The hash covers the values as they will be read.
      const read = { before: JSON.parse(before_json), after: JSON.parse(after_json) };
      hash = auditHash(hash, { ...plain, at: at.now, ...read });
      const job_id = row.target.startsWith(JOB_TARGET) ? row.target.slice(JOB_TARGET.length) : null;
      return {
        ...plain,
        before_json,
        after_json,
        n: ++seq,
        hash,
        ...scopeValues({ tenant, organization }),
        job_id,
      };
    });
    return at.session.run(addAll(at.dialect), { at: at.now, rows: JSON.stringify(values) });
  });
  await Promise.all([added, at.session.run(saveHead(at.dialect), { seq, hash })]);
}
