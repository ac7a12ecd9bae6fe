import type { DecisionRow, SettledDecision } from "@andon/engine";
import { type StepContext, shared } from "./statement-registry.ts";

/** How long settled decisions are kept; the audit log keeps them for good. */
const KEPT_MS = 90 * 86_400_000;

const COLUMNS = `id, queue, pos, job_id as "jobId", tenant, organization, action, cancel_at as "cancelAt", actor, reason,
  job_state as "jobState", fence, made_at as "madeAt", applies_at as "appliesAt", state, settled_at as "settledAt",
  settled_by as "settledBy", note`;

const add = shared(
  "decision-add",
  () => `insert into andon_decisions
  (id, queue, pos, job_id, tenant, organization, action, cancel_at, actor, reason, job_state, fence, made_at, applies_at, state)
values
  (@id, @queue, @pos, @jobId, @tenant, @organization, @action, @cancelAt, @actor, @reason, @jobState, @fence, @madeAt, @appliesAt, 'pending')`,
);
const lock = shared(
  "decision-lock",
  (d) => `select ${COLUMNS} from andon_decisions where id = @id${d.forUpdate}`,
);
const read = shared("decision", () => `select ${COLUMNS} from andon_decisions where id = @id`);
const ofJob = shared(
  "decision-of-job",
  () => `select ${COLUMNS} from andon_decisions where job_id = @jobId and state = 'pending'`,
);
const ofJobs = shared(
  "decisions-of-jobs",
  (d) =>
    `select ${COLUMNS} from andon_decisions where state = 'pending' and job_id ${d.among("jobIds", "text")}`,
);
const settle = shared(
  "decision-settle",
  () =>
    `update andon_decisions set state = @state, settled_at = @at, settled_by = @by, note = @note where id = @id`,
);
const dropOld = shared("decisions-drop", () => "delete from andon_decisions where settled_at < @before");
const due = shared(
  "decisions-due",
  (d) => `select ${COLUMNS} from andon_decisions
where state = 'pending' and applies_at <= @now and queue ${d.among("queues", "text")} order by applies_at, id limit @most`,
);
const next = shared(
  "decisions-next",
  (d) =>
    `select min(applies_at) as at from andon_decisions where state = 'pending' and queue ${d.among("queues", "text")}`,
);

export async function addDecision(at: StepContext, row: DecisionRow): Promise<void> {
  await at.session.run(add(at.dialect), { ...row });
}

export async function lockDecision(at: StepContext, id: string): Promise<DecisionRow | undefined> {
  return (await at.session.all<DecisionRow>(lock(at.dialect), { id }))[0];
}

export async function readDecision(at: StepContext, id: string): Promise<DecisionRow | undefined> {
  return (await at.session.all<DecisionRow>(read(at.dialect), { id }))[0];
}

export async function pendingDecision(at: StepContext, jobId: string): Promise<DecisionRow | undefined> {
  return (await at.session.all<DecisionRow>(ofJob(at.dialect), { jobId }))[0];
}

export async function pendingDecisions(at: StepContext, jobIds: readonly string[]): Promise<DecisionRow[]> {
  return at.session.all<DecisionRow>(ofJobs(at.dialect), { jobIds: at.dialect.array(jobIds) });
}

export async function settleDecision(at: StepContext, id: string, settled: SettledDecision): Promise<void> {
  await at.session.run(settle(at.dialect), { id, at: at.now, ...settled });
  await at.session.run(dropOld(at.dialect), { before: at.now - KEPT_MS });
}

export async function dueDecisions(
  at: StepContext,
  now: number,
  queues: readonly string[],
  most: number,
): Promise<DecisionRow[]> {
  return at.session.all<DecisionRow>(due(at.dialect), { now, queues: at.dialect.array(queues), most });
}

export async function nextDecisionAt(at: StepContext, queues: readonly string[]): Promise<number | null> {
  const [row] = await at.session.all<{ at: number | null }>(next(at.dialect), {
    queues: at.dialect.array(queues),
  });
  return row?.at ?? null;
}
