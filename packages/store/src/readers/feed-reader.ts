import type { FeedEvent, Page, Scope, StopCertificate } from "@andon/contract";
import { isInScope, viewInScope, type WorkerRow } from "@andon/engine";
import { alongIndex } from "../statements/along-index.ts";
import { scopeValues } from "../steps/in-scope.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";
import { MOST_COUNTED, totalOf } from "./bounds.ts";

const COLUMNS = "id, type, at, queue, job_id, tenant, organization, data";

const eventsAfter = shared(
  "events-after",
  () => `select ${COLUMNS} from andon_events where id > @after order by id limit @most`,
);
/** One queue has its own statements: no index serves a condition that covers all queues or one. */
const eventsOfQueue = shared(
  "events-of-queue",
  () => `select ${COLUMNS} from andon_events where queue = @queue and id > @after order by id limit @most`,
);
/** Own rows: by tenant, or by an organisation of it. */
const OWN = {
  tenant: "tenant = @tenant",
  organization: "organization = @organization and tenant = @tenant",
} as const;
const OTHERS = {
  tenant: "(tenant is null or tenant <> @tenant)",
  organization: "(organization is null or organization <> @organization or tenant <> @tenant)",
} as const;

const eventsOfQueueInScope = (scope: keyof typeof OWN) =>
  shared(
    `events-of-queue-and-${scope}`,
    () => `select ${COLUMNS} from andon_events
where queue = @queue and id > @after and ((${OWN[scope]}) or substr(type, 1, 6) = 'queue.') order by id limit @most`,
  );
/** Two indexes, each read from the reader's last event on, so that events of other tenants are not read. */
const eventsInScope = (scope: keyof typeof OWN) =>
  shared(
    `events-of-${scope}`,
    () => `select * from (
  select * from (
    select ${COLUMNS} from andon_events
    where ${OWN[scope]} and id > @after order by id limit @most
  ) own
  union all
  select * from (
    select ${COLUMNS} from andon_events
    where substr(type, 1, 6) = 'queue.' and id > @after and ${OTHERS[scope]} order by id limit @most
  ) shared
) e order by id limit @most`,
  );
const IN_SCOPE = {
  tenant: { all: eventsInScope("tenant"), queue: eventsOfQueueInScope("tenant") },
  organization: { all: eventsInScope("organization"), queue: eventsOfQueueInScope("organization") },
};
const lastOfJob = alongIndex({ job_id: "@jobId" }, ["id"], " desc");
const eventsOfJob = shared(
  "events-of-job",
  () =>
    `select ${COLUMNS} from andon_events where ${lastOfJob.where} order by ${lastOfJob.order} limit @most`,
);
const lastEvent = shared("events-last", () => "select coalesce(max(id), 0) as id from andon_events");
const stopOne = shared("stop-read", () => "select * from andon_stops where id = @id");
const stopPage = shared(
  "stops-page",
  () =>
    "select * from andon_stops where queue = @queue order by at desc, id desc limit @limit offset @offset",
);
const stopCount = shared(
  "stops-count",
  () => "select count(*) as stops from (select 1 from andon_stops where queue = @queue limit @most) s",
);
const claims = shared(
  "claim-log-claims-after",
  () =>
    `select id, epoch, at, worker from andon_claim_log where queue = @queue and id > @entry and claimed > 0 order by id limit @most`,
);
const workerList = shared(
  "workers-list",
  () =>
    `select id, host, pid, beat, beat_at as "beatAt", version, started_at as "startedAt", at_work as "atWork", queues, rules from andon_workers order by started_at, id`,
);

/**
 * Without an order: to return ids in order PostgreSQL would scan all events of the queue instead of the index of stops.
 */
const stopsTold = shared(
  "events-stops",
  () => `select ${COLUMNS} from andon_events
where queue = @queue and type = 'queue.stopped' and at = @when`,
);

interface RawEvent {
  id: number;
  type: string;
  at: number;
  queue: string | null;
  job_id: string | null;
  tenant: string | null;
  organization: string | null;
  data: string;
}

export async function events(
  at: StepContext,
  after: number,
  most: number,
  { queue, ...scope }: Scope & { queue?: string | undefined } = {},
): Promise<FeedEvent[]> {
  const values = { after, most, ...(queue === undefined ? {} : { queue }) };
  const { tenant, organization } = scopeValues(scope);
  if (tenant === null) {
    const all = queue === undefined ? eventsAfter : eventsOfQueue;
    return (await at.session.all<RawEvent>(all(at.dialect), values)).map(feedEvent);
  }
  const visible =
    IN_SCOPE[organization === null ? "tenant" : "organization"][queue === undefined ? "all" : "queue"];
  const whose = organization === null ? { tenant } : { tenant, organization };
  const rows = await at.session.all<RawEvent>(visible(at.dialect), { ...values, ...whose });
  return rows.map((row) => viewInScope(feedEvent(row), isInScope(row, scope)));
}

export async function jobEvents(at: StepContext, jobId: string, most: number): Promise<FeedEvent[]> {
  const rows = await at.session.all<RawEvent>(eventsOfJob(at.dialect), { jobId, most });
  return rows.map(feedEvent).reverse();
}

export async function stopEvents(at: StepContext, queue: string, when: number): Promise<FeedEvent[]> {
  return (await at.session.all<RawEvent>(stopsTold(at.dialect), { queue, when })).map(feedEvent);
}

function feedEvent({
  job_id,
  tenant: _tenant,
  organization: _organization,
  data,
  ...row
}: RawEvent): FeedEvent {
  // A later version may have written it, with a type that this version does not know.
  return { ...row, jobId: job_id, data: JSON.parse(data) } as FeedEvent;
}

export async function lastEventId(at: StepContext): Promise<number> {
  return (await at.session.all<{ id: number }>(lastEvent(at.dialect), {}))[0]?.id ?? 0;
}

interface RawStop {
  id: string;
  queue: string;
  epoch: number;
  at: number;
  kind: "failure" | "hand";
  actor: string;
  reason: string;
  job_id: string | null;
  error_code: string | null;
  error_message: string | null;
  error_texts: string | null;
  in_flight: string;
  last_claim: number;
  last_started: string | null;
  resumed_at: number | null;
  resumed_by: string | null;
}

function certificate(raw: RawStop): StopCertificate {
  return {
    id: raw.id,
    queue: raw.queue,
    epoch: raw.epoch,
    at: raw.at,
    kind: raw.kind,
    actor: raw.actor,
    reason: raw.reason,
    jobId: raw.job_id,
    error:
      raw.error_code === null
        ? null
        : {
            code: raw.error_code,
            message: raw.error_message ?? "",
            ...(raw.error_texts === null ? {} : { texts: JSON.parse(raw.error_texts) }),
          },
    inFlight: JSON.parse(raw.in_flight),
    lastClaim: raw.last_claim,
    lastStarted: raw.last_started === null ? null : JSON.parse(raw.last_started),
    resumedAt: raw.resumed_at,
    resumedBy: raw.resumed_by,
  };
}

export async function stop(at: StepContext, id: string): Promise<StopCertificate | undefined> {
  const [raw] = await at.session.all<RawStop>(stopOne(at.dialect), { id });
  return raw && certificate(raw);
}

export async function stops(
  at: StepContext,
  queue: string,
  page: number,
  limit: number,
): Promise<Page<StopCertificate>> {
  const offset = (page - 1) * limit;
  const [rows, [found]] = await Promise.all([
    offset < MOST_COUNTED ? at.session.all<RawStop>(stopPage(at.dialect), { queue, limit, offset }) : [],
    at.session.all<{ stops: number }>(stopCount(at.dialect), { queue, most: MOST_COUNTED + 1 }),
  ]);
  return { ...totalOf(found?.stops ?? 0), page, limit, items: rows.map(certificate) };
}

export async function claimsAfter(at: StepContext, queue: string, entry: number, most: number) {
  return at.session.all<{ id: number; epoch: number; at: number; worker: string }>(claims(at.dialect), {
    queue,
    entry,
    most,
  });
}

type RawWorker = Omit<WorkerRow, "atWork" | "queues" | "rules"> & {
  atWork: number;
  queues: string;
  rules: string;
};

export async function workers(at: StepContext): Promise<WorkerRow[]> {
  const rows = await at.session.all<RawWorker>(workerList(at.dialect), {});
  return rows.map((row) => ({
    ...row,
    atWork: row.atWork === 1,
    queues: JSON.parse(row.queues),
    rules: JSON.parse(row.rules),
  }));
}
