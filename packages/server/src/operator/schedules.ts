import { AndonError, iso, isoOrNull, type ROUTES, type Schedule } from "@andon/contract";
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
  };
}

export function serveWorkers(site: Site): HttpServeAll<typeof ROUTES>["workers"] {
  const { read } = site.andon.store;
  return {
    list: async ({ query }) => {
      const workers = await read.workers();
      const shown = workers.slice((query.page - 1) * query.limit, query.page * query.limit);
      const items = await Promise.all(
        shown.map(async ({ id, host, pid, startedAt, queues }) => {
          const running = (await read.runningOf({ worker: id })).length;
          return { id, host, pid, startedAt: iso(startedAt), queues, running };
        }),
      );
      return { total: workers.length, page: query.page, limit: query.limit, items };
    },
  };
}
