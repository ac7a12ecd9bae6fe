import { AndonError, iso, isoOrNull, type ROUTES, type Schedule } from "@andon/contract";
import { workerStatuses } from "@andon/engine";
import type { HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { decisionOf } from "./scope.ts";
import { wirePage } from "./wire.ts";

const RUNS_SHOWN = 5;

const timesOf = ({ cron, timeZone, lastDueAt }: Pick<Schedule, "cron" | "timeZone" | "lastDueAt">) => ({
  cron,
  timeZone,
  lastDueAt,
});

export function serveSchedules(site: Site): HttpServeAll<typeof ROUTES>["schedules"] {
  const { schedules } = site.andon;

  const view = async ({ job, createdAt: _c, updatedAt: _u, ...schedule }: Schedule) => ({
    ...schedule,
    tenantId: job.tenant,
    organizationId: job.organization,
    nextAt: isoOrNull(schedule.nextAt),
    lastDueAt: isoOrNull(schedule.lastDueAt),
    nextRuns: (await schedules.preview(timesOf(schedule), RUNS_SHOWN)).map(iso),
  });

  const named = async (name: string) => {
    const schedule = await schedules.get(name);
    if (!schedule) throw new AndonError("SCHEDULE_NOT_FOUND", { schedule: name });
    return view(schedule);
  };

  return {
    list: async ({ query }) => {
      const page = await schedules.list(query);
      const items = await Promise.all(page.items.map(view));
      return wirePage({ ...page, items }, (schedule) => schedule);
    },
    show: ({ params }) => named(params.name),
    activate: async (call) => {
      const { changed } = await schedules.activate(call.params.name, decisionOf(call, call.body.reason));
      return { success: true as const, changed, schedule: await named(call.params.name) };
    },
    deactivate: async (call) => {
      const { changed } = await schedules.deactivate(call.params.name, decisionOf(call, call.body.reason));
      return { success: true as const, changed, schedule: await named(call.params.name) };
    },
    runNow: async (call) => {
      const { jobId } = await schedules.runNow(call.params.name, decisionOf(call, call.body.reason));
      return { success: true as const, jobId };
    },
  };
}

const MOST_LOST = 100;

export function serveWorkers(site: Site): HttpServeAll<typeof ROUTES>["workers"] {
  const { store } = site.andon;
  return {
    list: async ({ query: { page, limit } }) => {
      const [workers, lost] = await Promise.all([workerStatuses(store), store.read.lostWorkers(MOST_LOST)]);
      const items = workers.slice((page - 1) * limit, page * limit).map((worker) => ({
        ...worker,
        queues: [...worker.queues],
        startedAt: iso(worker.startedAt),
        lastBeatAt: isoOrNull(worker.lastBeatAt),
        silentSince: isoOrNull(worker.silentSince),
      }));
      const shownLost = lost.map((worker) => ({
        ...worker,
        queues: [...worker.queues],
        jobs: [...worker.jobs],
        startedAt: isoOrNull(worker.startedAt),
        lastBeatAt: isoOrNull(worker.lastBeatAt),
        lostAt: iso(worker.lostAt),
      }));
      return { total: workers.length, page, limit, items, lost: shownLost };
    },
  };
}
