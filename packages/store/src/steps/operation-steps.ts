import type { Page, Scope } from "@andon/contract";
import type { ListItem, OperationAction, OperationFilter, OperationRow, OperationState } from "@andon/engine";
import { alongIndex } from "../statements/along-index.ts";
import { inScope, scopeValues } from "./in-scope.ts";
import { type StepContext, shared } from "./statement-registry.ts";

interface RawOperation {
  id: string;
  queue: string;
  action: OperationAction;
  actor: string;
  reason: string | null;
  tenant: string | null;
  organization: string | null;
  details: string;
  list: string;
  state: OperationState;
  created_at: number;
  finished_at: number | null;
  total: number;
  done: number;
  requested: number;
  left_out: number;
  left_out_jobs: string;
  result: string | null;
  next_step: number;
  next_item: number;
  driver: string | null;
  beat: number;
}

const COLUMNS = `id, queue, action, actor, reason, tenant, organization, details, list, state, created_at, finished_at, total, done,
  requested, left_out, left_out_jobs, result, next_step, next_item, driver, beat`;
const IN_SCOPE = inScope();
const IS_MEANT = `${IN_SCOPE} and (cast(@open as integer) = 0 or finished_at is null)`;
const OF_QUEUE = alongIndex({ queue: "@queue" }, ["created_at", "id"], " desc");

const add = shared(
  "operation-add",
  () => `insert into andon_operations (${COLUMNS})
values (@id, @queue, @action, @actor, @reason, @tenant, @organization, @details, @list, @state, @createdAt, @finishedAt, @total, @done,
  @requested, @leftOut, @leftOutJobs, @result, @nextStep, @nextItem, @driver, @beat)`,
);
const read = shared(
  "operation-read",
  () => `select ${COLUMNS} from andon_operations where id = @id and ${IN_SCOPE}`,
);
const lock = shared(
  "operation-lock",
  (d) => `select ${COLUMNS} from andon_operations where id = @id${d.forUpdate}`,
);
const save = shared(
  "operation-save",
  () => `update andon_operations set state = @state, finished_at = @finishedAt, total = @total, done = @done,
  requested = @requested, left_out = @leftOut, left_out_jobs = @leftOutJobs, result = @result, next_step = @nextStep,
  next_item = @nextItem, beat = beat + 1
where id = @id and driver = @driver and finished_at is null`,
);
const take = shared(
  "operation-take",
  () => `update andon_operations set driver = @driver, beat = beat + 1
where id = @id and beat = @beat and finished_at is null`,
);
const beatOne = shared(
  "operation-beat",
  () => "update andon_operations set beat = beat + 1 where id = @id and driver = @driver",
);
const leave = shared(
  "operation-leave",
  () =>
    "update andon_operations set driver = null, beat = beat + 1 where id = @id and driver = @driver and finished_at is null",
);
const open = shared(
  "operations-open",
  () => `select ${COLUMNS} from andon_operations where finished_at is null order by id limit @most`,
);
const page = shared(
  "operations-page",
  () => `select ${COLUMNS} from andon_operations where ${IS_MEANT}
order by created_at desc, id desc limit @limit offset @offset`,
);
const pageOfQueue = shared(
  "operations-page-queue",
  () => `select ${COLUMNS} from andon_operations where ${OF_QUEUE.where} and ${IS_MEANT}
order by ${OF_QUEUE.order} limit @limit offset @offset`,
);
const count = shared(
  "operations-count",
  () => `select count(*) as total from (
  select 1 from andon_operations where ${IS_MEANT} order by created_at desc, id desc limit @most
) s`,
);
const countOfQueue = shared(
  "operations-count-queue",
  () => `select count(*) as total from (
  select 1 from andon_operations where ${OF_QUEUE.where} and ${IS_MEANT} order by ${OF_QUEUE.order} limit @most
) s`,
);
const dropOld = shared(
  "operations-drop",
  () =>
    "delete from andon_operations where queue = @queue and created_at < @before and finished_at is not null",
);
const addStep = shared(
  "operation-step-add",
  () => "insert into andon_operation_steps (list, number, items) values (@list, @number, @items)",
);
const readStep = shared(
  "operation-step-read",
  () => "select items from andon_operation_steps where list = @list and number = @number",
);
const dropSteps = shared(
  "operation-steps-drop",
  () => "delete from andon_operation_steps where list = @list and number < @before",
);

const MOST_COUNTED = 10_000;
/** The most that are continued at once; the others follow when some have ended. */
const MOST_OPEN = 1_000;

export async function addOperation(at: StepContext, row: OperationRow): Promise<void> {
  await at.session.run(add(at.dialect), columns(row));
}

/** With a scope, returns only an operation within it. */
export async function readOperation(at: StepContext, id: string, scope?: Scope) {
  const [raw] = await at.session.all<RawOperation>(read(at.dialect), { id, ...scopeValues(scope) });
  return raw && operationRow(raw);
}

export async function lockOperation(at: StepContext, id: string): Promise<OperationRow | undefined> {
  const [raw] = await at.session.all<RawOperation>(lock(at.dialect), { id });
  return raw && operationRow(raw);
}

/** False if another process drives it by now, or it has ended. */
export async function saveOperation(at: StepContext, row: OperationRow): Promise<boolean> {
  return (await at.session.run(save(at.dialect), columns(row))) === 1;
}

/** False if its beat has changed, because another process drives it. */
export async function takeOperation(
  at: StepContext,
  id: string,
  beat: number,
  driver: string,
): Promise<boolean> {
  return (await at.session.run(take(at.dialect), { id, beat, driver })) === 1;
}

/** False if another process drives it by now. */
export async function beatOperation(at: StepContext, id: string, driver: string): Promise<boolean> {
  return (await at.session.run(beatOne(at.dialect), { id, driver })) === 1;
}

export async function leaveOperation(at: StepContext, id: string, driver: string): Promise<void> {
  await at.session.run(leave(at.dialect), { id, driver });
}

export async function openOperations(at: StepContext): Promise<OperationRow[]> {
  return (await at.session.all<RawOperation>(open(at.dialect), { most: MOST_OPEN })).map(operationRow);
}

export async function operations(
  at: StepContext,
  { queue, open: isOpen, ...scope }: OperationFilter,
  number: number,
  limit: number,
): Promise<Page<OperationRow>> {
  const values = {
    ...(queue === undefined ? {} : { queue }),
    ...scopeValues(scope),
    open: isOpen ? 1 : 0,
  };
  const [counting, listing] = queue === undefined ? [count, page] : [countOfQueue, pageOfQueue];
  const [counted] = await at.session.all<{ total: number }>(counting(at.dialect), {
    ...values,
    most: MOST_COUNTED + 1,
  });
  const rows = await at.session.all<RawOperation>(listing(at.dialect), {
    ...values,
    limit,
    offset: (number - 1) * limit,
  });
  const total = counted?.total ?? 0;
  const more = total > MOST_COUNTED ? { more: true } : {};
  return {
    total: Math.min(total, MOST_COUNTED),
    page: number,
    limit,
    items: rows.map(operationRow),
    ...more,
  };
}

export async function dropOperations(at: StepContext, queue: string, before: number): Promise<void> {
  await at.session.run(dropOld(at.dialect), { queue, before });
}

/** Appends rows to a list, from this number on. */
export async function addSteps(
  at: StepContext,
  list: string,
  from: number,
  steps: readonly (readonly ListItem[])[],
): Promise<void> {
  for (const [index, items] of steps.entries())
    await at.session.run(addStep(at.dialect), { list, number: from + index, items: JSON.stringify(items) });
}

export async function listStep(at: StepContext, list: string, number: number): Promise<ListItem[]> {
  const [row] = await at.session.all<{ items: string }>(readStep(at.dialect), { list, number });
  return row ? JSON.parse(row.items) : [];
}

/** Deletes the rows of a list before this number. */
export async function dropListBefore(at: StepContext, list: string, before: number): Promise<void> {
  await at.session.run(dropSteps(at.dialect), { list, before });
}

function columns({ details, leftOutJobs, result, ...plain }: OperationRow) {
  return {
    ...plain,
    details: JSON.stringify(details),
    leftOutJobs: JSON.stringify(leftOutJobs),
    result: JSON.stringify(result),
  };
}

function operationRow(raw: RawOperation): OperationRow {
  return {
    id: raw.id,
    queue: raw.queue,
    action: raw.action,
    actor: raw.actor,
    reason: raw.reason,
    tenant: raw.tenant,
    organization: raw.organization,
    details: JSON.parse(raw.details),
    list: raw.list,
    state: raw.state,
    createdAt: raw.created_at,
    finishedAt: raw.finished_at,
    total: raw.total,
    done: raw.done,
    requested: raw.requested,
    leftOut: raw.left_out,
    leftOutJobs: JSON.parse(raw.left_out_jobs),
    result: raw.result === null ? {} : JSON.parse(raw.result),
    nextStep: raw.next_step,
    nextItem: raw.next_item,
    driver: raw.driver,
    beat: raw.beat,
  };
}
