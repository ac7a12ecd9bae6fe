import { auditHash, GENESIS, type NewAuditRow, newId } from "@andon/engine";
import { eachInFlight, type StepContext, shared } from "./kit.ts";

/** Locks the head, which the first row of all makes; whoever waited for it reads where the other one left it. */
const lockHead = shared(
  "audit-head-lock",
  () => `insert into andon_audit_head (id, seq, hash, unchained) values (1, 0, @genesis, 0)
on conflict (id) do update set seq = andon_audit_head.seq returning seq, hash`,
);
const saveHead = shared(
  "audit-head-save",
  () => "update andon_audit_head set seq = @seq, hash = @hash where id = 1",
);
const add = shared(
  "audit-add",
  () => `insert into andon_audit (id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant)
values (@id, @actor, @at, @action, @target, @reason, @before, @after, @seq, @hash,
  coalesce(@tenant, (select j.tenant from andon_jobs j where j.id = @jobId)))`,
);

const JOB_TARGET = "job:";

/**
 * Appends rows to the chain. The head stays locked until the commit, so that the chain follows the order of commits and
 * has no gap; that is why it is written last (SqlStoreTx.flush), and before the feed's lock.
 */
export async function chainAudit(at: StepContext, rows: readonly NewAuditRow[]): Promise<void> {
  if (rows.length === 0) return;
  const [head] = await at.session.all<{ seq: number; hash: string }>(lockHead(at.dialect), {
    genesis: GENESIS,
  });
  let { seq, hash } = head as { seq: number; hash: string };
  // Hashed one by one as they are sent: on SQLite the event loop gets its turns in between.
  await eachInFlight(rows, ({ tenant, before, after, ...row }) => {
    const texts = { before: JSON.stringify(before ?? null), after: JSON.stringify(after ?? null) };
    const plain = { ...row, id: newId(at.now), at: at.now };
    // What will be read is what is hashed.
    hash = auditHash(hash, { ...plain, before: JSON.parse(texts.before), after: JSON.parse(texts.after) });
    const jobId = row.target.startsWith(JOB_TARGET) ? row.target.slice(JOB_TARGET.length) : null;
    const values = { ...plain, ...texts, seq: ++seq, hash, tenant: tenant ?? null, jobId };
    return at.session.run(add(at.dialect), values);
  });
  await at.session.run(saveHead(at.dialect), { seq, hash });
}
