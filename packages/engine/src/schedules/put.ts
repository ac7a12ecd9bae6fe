import {
  checkedOptions,
  type Decision,
  parseQueueRules,
  type Schedule,
  type ScheduleSpec,
  scheduleSpec,
} from "@andon/contract";
import { newId } from "../ids.ts";
import { keysOfLanes } from "../lanes/lane-id.ts";
import { newJob } from "../library/job-options.ts";
import type { Store, StoreTx } from "../ports/store.ts";
import { type InTransaction, inTransaction } from "./in-transaction.ts";
import { type RunTimes, runTimes } from "./run-times.ts";

const CHANGED = { kind: "schedule" } as const;

export interface PutSchedule {
  schedule: Schedule;
  isNew: boolean;
  /** False if the stored schedule was equal already. */
  changed: boolean;
}

/** The members of a schedule that a caller sets; the rest of its row records its state and history. */
type Content = Omit<Schedule, "id" | "isActive" | "nextAt" | "lastDueAt" | "createdAt" | "updatedAt">;

/**
 * Creates a schedule, or updates the one of this name. Its next time is computed again only if the expression, the zone
 * or its activity changed, and is never before a time that is settled already.
 */
export async function putSchedule(
  store: Store,
  spec: ScheduleSpec,
  decision: Decision,
  options: InTransaction,
): Promise<PutSchedule> {
  const { isActive, ...given } = checkedOptions("the schedule", scheduleSpec, spec);
  const times = runTimes(given.cron, given.timeZone);
  const content = contentOf(given, store.clock.now());
  return inTransaction(store, "schedule.put", options, async (tx) => {
    const known = await tx.lockSchedule(content.name);
    const added = known ? undefined : await add(tx, content, isActive ?? true, times, decision);
    if (added) {
      await tx.signalOnCommit(CHANGED);
      return { schedule: added, isNew: true, changed: true };
    }
    // `add` found the name taken: another process has added the schedule meanwhile.
    const before = known ?? (await tx.lockSchedule(content.name));
    if (!before) throw new Error(`the schedule ${content.name} was removed at the same time`);
    const put = await update(tx, before, content, isActive ?? before.isActive, times, decision);
    if (put.changed) await tx.signalOnCommit(CHANGED);
    return put;
  });
}

function contentOf(given: Omit<ReturnType<typeof scheduleSpec.parse>, "isActive">, now: number): Content {
  const { name, queue, cron, timeZone, missed, payload } = given;
  const rules = parseQueueRules(queue, undefined);
  const checked = newJob({ name: queue, rules, hooks: {} }, payload, { name, ...given.job }, now);
  const job = {
    keys: keysOfLanes(checked.lanes),
    priority: checked.priority,
    tenant: checked.tenant,
    organization: checked.organization,
    name: checked.name,
  };
  return { name, queue, cron, timeZone, missed, payload: JSON.parse(checked.payload), job };
}

async function add(
  tx: StoreTx,
  content: Content,
  isActive: boolean,
  times: RunTimes,
  decision: Decision,
): Promise<Schedule | undefined> {
  const at = tx.now();
  const nextAt = isActive ? (times.after(at) ?? null) : null;
  const stamps = { lastDueAt: null, createdAt: at, updatedAt: at };
  const schedule = { id: newId(at), ...content, isActive, nextAt, ...stamps };
  if (!(await tx.addSchedule(schedule))) return undefined;
  await record(tx, decision, null, schedule);
  return schedule;
}

async function update(
  tx: StoreTx,
  before: Schedule,
  content: Content,
  isActive: boolean,
  times: RunTimes,
  decision: Decision,
): Promise<PutSchedule> {
  const same = JSON.stringify(decided(before)) === JSON.stringify(decided({ ...content, isActive }));
  if (same) return { schedule: before, isNew: false, changed: false };
  const isTimed =
    before.isActive === isActive && before.cron === content.cron && before.timeZone === content.timeZone;
  const next = isTimed ? before.nextAt : (times.after(Math.max(tx.now(), before.lastDueAt ?? 0)) ?? null);
  const schedule = { ...before, ...content, isActive, nextAt: isActive ? next : null, updatedAt: tx.now() };
  await tx.saveSchedule(schedule);
  await record(tx, decision, before, schedule);
  return { schedule, isNew: false, changed: true };
}

/** In one order of members, so that two of them can be compared as text. */
function decided(of: Content & { isActive: boolean }): Content & { isActive: boolean } {
  const { name, queue, cron, timeZone, missed, payload, job, isActive } = of;
  const { keys, priority, tenant, organization, name: jobName } = job;
  const ordered = { keys, priority, tenant, organization, name: jobName };
  return { name, queue, cron, timeZone, missed, payload, job: ordered, isActive };
}

async function record(
  tx: StoreTx,
  decision: Decision,
  before: Schedule | null,
  after: Schedule,
): Promise<void> {
  await tx.addAudit({
    actor: decision.actor,
    action: "schedule.put",
    target: `schedule:${after.name}`,
    reason: decision.reason?.trim() || null,
    before: before && decided(before),
    after: decided(after),
  });
}
