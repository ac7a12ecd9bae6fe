import type { Facts } from "./facts.ts";
import { QUEUE } from "./store-mix.ts";

export interface OperatorCall {
  /** The name in the report. */
  name: string;
  /** `n` increases with each call, so that consecutive calls request different rows. */
  path: (facts: Facts, n: number) => string;
  /** Sent with a key that sees only one tenant. */
  scoped?: true;
}

/** An element of the list, a different one for each `n`. */
const one = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

const constant = (path: string, name = path): OperatorCall => ({ name, path: () => path });
const scoped = (path: string): OperatorCall => ({
  name: `${path} (one tenant's key)`,
  path: () => path,
  scoped: true,
});

const ON_QUEUE = `/admin/queues/${QUEUE}`;
const LISTED_STATES = ["ready", "blocked", "scheduled", "running", "done", "failed", "cancelled", "resolved"];

/** Lists by filter: the name of the filter and its query. */
const JOB_FILTERS: [name: string, query: (facts: Facts, n: number) => string][] = [
  ["no filter", () => ""],
  ["queue", () => `queue=${QUEUE}`],
  ...LISTED_STATES.map((state): [string, () => string] => [
    `queue, state=${state}`,
    () => `queue=${QUEUE}&state=${state}`,
  ]),
  ["state=failed, all queues", () => "state=failed"],
  [
    "state=done, page 30 or the last",
    ({ lastPage }) => `queue=${QUEUE}&state=done&page=${Math.min(30, lastPage.done)}`,
  ],
  ["state=failed, page 1,000", () => `queue=${QUEUE}&state=failed&page=1000`],
  ["state=done, page 10,000", () => `queue=${QUEUE}&state=done&page=10000`],
  ["key", ({ jobs }, n) => `key=${encodeURIComponent(one(jobs.blocked, n).keys[0] ?? "")}`],
  ["name", () => "name=MOVE"],
  ["name, state=failed", () => `queue=${QUEUE}&name=MOVE&state=failed`],
  ["tenantId", ({ tenants }, n) => `tenantId=tenant-${n % tenants}`],
  ["tenantId, state=failed", ({ tenants }, n) => `tenantId=tenant-${n % tenants}&state=failed`],
  ["tenantId, state=done", ({ tenants }, n) => `tenantId=tenant-${n % tenants}&state=done`],
  ["tenantId that has none", () => "tenantId=nobody"],
  ["from", ({ jobs }, n) => `from=${one(jobs.failed, n).createdAt}`],
  ["from, to, state=done", ({ jobs }) => `state=done&${hourUpTo(jobs.done[0]?.createdAt)}`],
  ["fingerprint", ({ jobs }, n) => `fingerprint=${one(jobs.failed, n).error?.fingerprint}&limit=10`],
  ["text: a ticket", ({ jobs }, n) => `text=${one(jobs.done, n).ticket}`],
  ["text: of many errors", () => "text=refused"],
  ["text: found nowhere", () => "text=no-such-text-anywhere"],
];

/** The hour that ends with this millisecond. */
function hourUpTo(time = ""): string {
  const end = Date.parse(time) + 1;
  return `from=${new Date(end - 3_600_000).toISOString()}&to=${new Date(end).toISOString()}`;
}

/**
 * Every list, count and detail that an operator or the console requests. Left out: the check of the whole audit log, which
 * must read all of it, and the stream of events.
 */
export const OPERATOR_CALLS: OperatorCall[] = [
  constant("/admin/queues"),
  constant(ON_QUEUE),
  constant("/admin/queue/status"),
  scoped("/admin/queue/status"),
  constant("/admin/queue/failed?limit=20"),
  constant("/admin/queue/failed?limit=100"),
  scoped("/admin/queue/failed?limit=20"),
  {
    name: "/admin/queue/failed/:jobId",
    path: ({ jobs }, n) => `/admin/queue/failed/${one(jobs.failed, n).ticket}`,
  },
  {
    name: "/admin/queue/events/:id",
    path: ({ jobs }, n) => `/admin/queue/events/${one(jobs.resolved, n).id}`,
  },
  constant(`${ON_QUEUE}/fingerprints`),
  scoped(`${ON_QUEUE}/fingerprints`),
  ...JOB_FILTERS.map(([name, query]) => ({
    name: `/admin/jobs: ${name}`,
    path: (facts: Facts, n: number) => `/admin/jobs?${query(facts, n)}`,
  })),
  scoped("/admin/jobs"),
  scoped("/admin/jobs?state=done"),
  ...(["done", "failed", "blocked"] as const).map((state) => ({
    name: `/admin/jobs/:id of one ${state}`,
    path: ({ jobs }: Facts, n: number) => `/admin/jobs/${one(jobs[state], n).id}`,
  })),
  { name: "/admin/jobs/:ticket", path: ({ jobs }, n) => `/admin/jobs/${one(jobs.done, n).ticket}` },
  ...(["ready", "blocked", "scheduled", "failed"] as const).map((state) => ({
    name: `/admin/jobs/:id/why of one ${state}`,
    path: ({ jobs }: Facts, n: number) => `/admin/jobs/${one(jobs[state], n).id}/why`,
  })),
  constant(`${ON_QUEUE}/lanes`),
  constant(`${ON_QUEUE}/lanes?held=true`),
  constant(`${ON_QUEUE}/stops`),
  { name: `${ON_QUEUE}/stops/:id`, path: ({ stops }, n) => `${ON_QUEUE}/stops/${one(stops, n)}` },
  constant("/admin/audit"),
  constant("/admin/audit?action=job.cancel"),
  constant("/admin/audit?actor=key:bench"),
  {
    name: "/admin/audit, page 500 or the last",
    path: ({ lastPage }) => `/admin/audit?page=${Math.min(500, lastPage.audit)}`,
  },
  scoped("/admin/audit"),
  {
    name: "/admin/audit?target=job:…",
    path: ({ jobs }, n) => `/admin/audit?target=job:${one(jobs.resolved, n).id}`,
  },
  constant("/admin/alerts"),
  constant("/admin/alerts?state=firing"),
  constant(`/admin/alerts?queue=${QUEUE}`),
  { name: "/admin/alerts/:id", path: ({ alerts }, n) => `/admin/alerts/${one(alerts, n)}` },
  constant("/admin/workers"),
  constant("/admin/schedules"),
  { name: "/admin/schedules/:name", path: ({ schedules }, n) => `/admin/schedules/${one(schedules, n)}` },
  constant("/metrics"),
  constant("/readyz"),
];
