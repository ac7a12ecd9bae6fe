import type { MissedPolicy, Page, Schedule } from "@andon/contract";
import { type StepContext, shared } from "./statement-registry.ts";

interface RawSchedule {
  id: string;
  name: string;
  queue: string;
  cron: string;
  time_zone: string;
  missed: MissedPolicy;
  payload: string;
  lane_keys: string;
  priority: number;
  tenant: string;
  organization: string | null;
  job_name: string;
  is_active: number;
  next_at: number | null;
  last_due_at: number | null;
  created_at: number;
  updated_at: number;
}

const COLUMNS = `id, name, queue, cron, time_zone, missed, payload, lane_keys, priority, tenant, organization, job_name, is_active,
  next_at, last_due_at, created_at, updated_at`;

const add = shared(
  "schedule-add",
  () => `insert into andon_schedules (${COLUMNS})
values
  (@id, @name, @queue, @cron, @timeZone, @missed, @payload, @keys, @priority, @tenant, @organization, @jobName, @isActive, @nextAt,
   @lastDueAt, @createdAt, @updatedAt)
on conflict do nothing`,
);
const save = shared(
  "schedule-save",
  () => `update andon_schedules set queue = @queue, cron = @cron, time_zone = @timeZone, missed = @missed,
  payload = @payload, lane_keys = @keys, priority = @priority, tenant = @tenant, organization = @organization, job_name = @jobName,
  is_active = @isActive, next_at = @nextAt, last_due_at = @lastDueAt, updated_at = @updatedAt
where id = @id`,
);
const drop = shared("schedule-drop", () => "delete from andon_schedules where id = @id");
const lock = shared(
  "schedule-lock",
  (d) => `select ${COLUMNS} from andon_schedules where name = @name${d.forUpdate}`,
);
const lockDue = shared(
  "schedules-lock-due",
  (d) => `select ${COLUMNS} from andon_schedules
where next_at <= @now and (next_at, id) > (@afterAt, @afterId)
order by next_at, id limit @most${d.forUpdateSkipLocked}`,
);
const read = shared("schedule-read", () => `select ${COLUMNS} from andon_schedules where name = @name`);
const page = shared(
  "schedules-page",
  () => `select ${COLUMNS} from andon_schedules order by name limit @limit offset @offset`,
);
const count = shared(
  "schedules-count",
  () => "select count(*) as total from (select 1 from andon_schedules limit 10001) s",
);
const next = shared(
  "schedules-next",
  () => "select min(next_at) as next from andon_schedules where next_at > @after",
);
const MOST_COUNTED = 10_000;

/** False if the name is taken. */
export async function addSchedule(at: StepContext, schedule: Schedule): Promise<boolean> {
  return (await at.session.run(add(at.dialect), columns(schedule))) === 1;
}

export async function saveSchedule(at: StepContext, schedule: Schedule): Promise<void> {
  await at.session.run(save(at.dialect), columns(schedule));
}

export async function dropSchedule(at: StepContext, id: string): Promise<void> {
  await at.session.run(drop(at.dialect), { id });
}

export async function lockSchedule(at: StepContext, name: string): Promise<Schedule | undefined> {
  const [raw] = await at.session.all<RawSchedule>(lock(at.dialect), { name });
  return raw && schedule(raw);
}

/** Skips schedules that another process is firing. */
export async function lockDueSchedules(
  at: StepContext,
  now: number,
  most: number,
  after?: Schedule,
): Promise<Schedule[]> {
  const values = { now, most, afterAt: after?.nextAt ?? Number.MIN_SAFE_INTEGER, afterId: after?.id ?? "" };
  return (await at.session.all<RawSchedule>(lockDue(at.dialect), values)).map(schedule);
}

export async function readSchedule(at: StepContext, name: string): Promise<Schedule | undefined> {
  const [raw] = await at.session.all<RawSchedule>(read(at.dialect), { name });
  return raw && schedule(raw);
}

export async function schedules(at: StepContext, number: number, limit: number): Promise<Page<Schedule>> {
  const [counted] = await at.session.all<{ total: number }>(count(at.dialect), {});
  const rows = await at.session.all<RawSchedule>(page(at.dialect), { limit, offset: (number - 1) * limit });
  const total = counted?.total ?? 0;
  const more = total > MOST_COUNTED ? { more: true } : {};
  return { total: Math.min(total, MOST_COUNTED), page: number, limit, items: rows.map(schedule), ...more };
}

export async function nextScheduleAt(at: StepContext, after: number): Promise<number | undefined> {
  return (await at.session.all<{ next: number | null }>(next(at.dialect), { after }))[0]?.next ?? undefined;
}

function columns({ job, payload, isActive, ...plain }: Schedule) {
  return {
    ...plain,
    payload: JSON.stringify(payload),
    keys: JSON.stringify(job.keys),
    priority: job.priority,
    tenant: job.tenant,
    organization: job.organization,
    jobName: job.name,
    isActive: isActive ? 1 : 0,
  };
}

function schedule(raw: RawSchedule): Schedule {
  return {
    id: raw.id,
    name: raw.name,
    queue: raw.queue,
    cron: raw.cron,
    timeZone: raw.time_zone,
    missed: raw.missed,
    payload: JSON.parse(raw.payload),
    job: {
      keys: JSON.parse(raw.lane_keys),
      priority: raw.priority,
      tenant: raw.tenant,
      organization: raw.organization,
      name: raw.job_name,
    },
    isActive: raw.is_active === 1,
    nextAt: raw.next_at,
    lastDueAt: raw.last_due_at,
    createdAt: raw.created_at,
    updatedAt: raw.updated_at,
  };
}
