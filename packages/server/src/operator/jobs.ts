import { iso, type JobAction, messageOf, type ROUTES, type Why } from "@andon/contract";
import { isAllowed, type JobEvent, type JobRow } from "@andon/engine";
import type { HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { decidableQueue, visibleJob } from "./find.ts";
import { decisionOf, namedTenant, tenantOf } from "./scope.ts";
import {
  millisecondsOf,
  wireAttempt,
  wireAudit,
  wireEvent,
  wireJob,
  wirePage,
  withIsoTimes,
} from "./wire.ts";

const MOST_SHOWN = 100;

/** What the lifecycle calls the operator's actions. */
const EVENT_OF: Record<JobAction, JobEvent> = {
  retry: "retry",
  skip: "resolve",
  cancel: "cancel",
  "run-now": "runNow",
};

/** Any job of any queue: look, ask why, decide. */
export function serveJobs(site: Site): HttpServeAll<typeof ROUTES>["jobs"] {
  const { read } = site.andon.store;

  const decided = async (id: string, message: string) => {
    const job = (await read.job({ id })) as JobRow;
    return { success: true as const, message, id, ticket: job.ticket, state: job.state };
  };

  return {
    list: async ({ principal, query }) => {
      const { page, limit, tenantId, from, to, ...filter } = query;
      const tenant = namedTenant(principal, tenantId);
      const times = { from: millisecondsOf(from), to: millisecondsOf(to) };
      const found = await read.searchJobs({ ...filter, tenant, ...times }, page, limit);
      return wirePage(found, wireJob);
    },

    show: async ({ principal, params, language }) => {
      const job = await visibleJob(site, principal, params.id);
      const [history, events, audit, why] = await Promise.all([
        read.attempts(job.pos),
        read.jobEvents(job.id, MOST_SHOWN),
        read.audit({ target: `job:${job.id}` }, 1, MOST_SHOWN),
        site.andon.why(job.id, tenantOf(principal)),
      ]);
      return {
        ...wireJob(job),
        payload: job.payload,
        cursor: job.cursor,
        progress: job.progress,
        result: job.result,
        resolution: job.resolution && { ...job.resolution, at: iso(job.resolution.at) },
        history: history.map(wireAttempt),
        events: events.map(wireEvent),
        audit: audit.items.map(wireAudit),
        why: wireWhy(why, language),
        actions: allowedActions(job),
      };
    },

    why: async ({ principal, params, language }) => {
      const job = await visibleJob(site, principal, params.id);
      return wireWhy(await site.andon.why(job.id, tenantOf(principal)), language);
    },

    retry: async (call) => {
      const job = await visibleJob(site, call.principal, call.params.id);
      const { queue } = await decidableQueue(site, job.queue);
      await queue.retry(job.id, decisionOf(call, call.body.reason));
      return decided(job.id, messageOf("JOB_RETRIED", call.language));
    },

    skip: async (call) => {
      const job = await visibleJob(site, call.principal, call.params.id);
      const { queue, beforeSkip } = await decidableQueue(site, job.queue);
      const found = job.state === "failed" ? await beforeSkip?.(job) : undefined;
      await queue.skip(job.id, decisionOf(call, call.body.reason), new Map([[job.id, found]]));
      return { ...(await decided(job.id, messageOf("JOB_SKIPPED", call.language))), ...found };
    },

    cancel: async (call) => {
      const job = await visibleJob(site, call.principal, call.params.id);
      const { queue } = await decidableQueue(site, job.queue);
      const { outcome } = await queue.cancel(job.id, decisionOf(call, call.body.reason));
      const message = outcome === "requested" ? "JOB_CANCEL_REQUESTED" : "JOB_CANCELLED";
      return decided(job.id, messageOf(message, call.language));
    },

    runNow: async (call) => {
      const job = await visibleJob(site, call.principal, call.params.id);
      const { queue } = await decidableQueue(site, job.queue);
      await queue.runNow(job.id, decisionOf(call, call.body.reason));
      return decided(job.id, messageOf("JOB_RUNS_NOW", call.language));
    },
  };
}

function allowedActions(job: JobRow): JobAction[] {
  const actions = Object.keys(EVENT_OF) as JobAction[];
  return actions.filter((action) => isAllowed(job.state, EVENT_OF[action]));
}

function wireWhy(why: Why, language: "ko" | "en") {
  return { ...why, sentence: why[language], facts: withIsoTimes(why.facts) };
}
