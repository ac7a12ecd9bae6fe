import type { CarriedOut } from "@andon/app";
import {
  type HeldDecision,
  heldBackMessage,
  isAndonError,
  iso,
  isoOrNull,
  isReversible,
  type JobAction,
  type Language,
  messageOf,
  type ROUTES,
  type Why,
  wireDecision,
  withDecision,
} from "@andon/contract";
import { type Cancelled, isAllowed, type JobEvent, type JobFilter, type JobRow } from "@andon/engine";
import { validationFailed } from "../http/checked-request.ts";
import type { HttpCall, HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { queueToDecide, visibleJob } from "./find.ts";
import { wireSummary } from "./queue-views.ts";
import { decisionOf, namedScope, scopeOf } from "./scope.ts";
import {
  millisecondsOf,
  wireAttempt,
  wireAudit,
  wireBulk,
  wireEvent,
  wirePage,
  wireStages,
  withIsoTimes,
} from "./wire.ts";

type FilterCall = HttpCall<(typeof ROUTES)["jobs"]["counts"]>;

const NOT_REVERSIBLE = {
  in: "query" as const,
  field: "reverse",
  message: {
    en: "only for all jobs, or for those of one queue and state, other than `done` and `blocked`",
    ko: "전체 작업이나, 한 큐의 한 상태(`done`과 `blocked` 제외)에만 쓸 수 있습니다",
  },
};

const MOST_SHOWN = 100;
/** The cursor of a search that starts at the newest job. */
const NEWEST = "newest";

/** The lifecycle event of each operator action. */
const EVENT_OF: Record<JobAction, JobEvent> = {
  retry: "retry",
  skip: "skip",
  cancel: "cancel",
  "run-now": "runNow",
};

/** The routes for any job of any queue: read, explain, decide. */
export function serveJobs(site: Site): HttpServeAll<typeof ROUTES>["jobs"] {
  const { read } = site.andon.store;

  /** A job that its app has deleted is shown in its last state. */
  const decided = async (was: JobRow, message: string) => {
    const { id, ticket, state } = (await read.job({ id: was.id })) ?? was;
    return { success: true as const, message, id, ticket, state };
  };

  const heldBack = async (call: HttpCall, job: JobRow, held: HeldDecision) => {
    call.reply.code(202);
    const answer = await decided(job, heldBackMessage(held, call.language));
    return { ...answer, pendingDecision: wireDecision(held) };
  };

  /** The jobs of a list, each with its description and its held-back decision. */
  const listed = async (jobs: readonly JobRow[], language: Language) => {
    const pending = await site.andon.pendingDecisions(jobs.map(({ id }) => id));
    return jobs.map((job) => {
      const held = pending.get(job.id);
      return {
        ...wireSummary(site, job, language),
        ...(held ? { pendingDecision: wireDecision(held) } : {}),
      };
    });
  };

  const filterOf = ({ principal, query }: Pick<FilterCall, "principal" | "query">): JobFilter => {
    const { tenantId, organizationId, from, to, ...rest } = query;
    const scope = namedScope(principal, { tenantId, organizationId });
    return { ...rest, ...scope, from: millisecondsOf(from), to: millisecondsOf(to) };
  };

  const further = async (filter: JobFilter, cursor: string, limit: number, language: Language) => {
    const before = cursor === NEWEST ? Number.MAX_SAFE_INTEGER : Number(cursor);
    const found = await read.searchFurther(filter, before, limit);
    return {
      total: found.items.length,
      page: 1,
      limit,
      items: await listed(found.items, language),
      ...(found.cursor === null ? {} : { more: true as const, cursor: String(found.cursor) }),
      ...(found.cursor === null || found.searchedTo === null ? {} : { searchedTo: iso(found.searchedTo) }),
    };
  };

  return {
    list: async ({ principal, query, language }) => {
      const { page, limit, cursor, reverse = false, ...rest } = query;
      const filter = filterOf({ principal, query: rest });
      if (reverse && !isReversible(filter)) throw validationFailed([NOT_REVERSIBLE]);
      if (cursor !== undefined) return further(filter, cursor, limit, language);
      const found = await read.searchJobs(filter, page, limit, reverse);
      // The search has not looked at all jobs, so an empty list would be wrong: search further.
      if (found.more && found.items.length === 0 && page === 1)
        return further(filter, NEWEST, limit, language);
      return {
        ...wirePage(found, (job) => job),
        items: await listed(found.items, language),
        ...(found.more ? { cursor: NEWEST } : {}),
      };
    },

    running: async ({ principal, query, language }) => {
      const { queue, page, limit } = query;
      const found = await read.longestRunning({ ...scopeOf(principal), queue }, page, limit);
      const bulks = await read.bulks(found.items.map(({ pos }) => pos));
      return wirePage(found, (job) => {
        const bulk = wireBulk(job, bulks.get(job.pos));
        return {
          ...wireSummary(site, job, language),
          progress: job.progress,
          bulk: bulk && { processed: bulk.processed, total: bulk.total },
        };
      });
    },

    counts: async (call) => {
      const { counts, more } = await read.countJobs(filterOf(call));
      return { counts, ...(more ? { more } : {}) };
    },

    show: async ({ principal, params, language }) => {
      const job = await visibleJob(site, principal, params.id);
      const [bulks, history, events, audit, why, stages, pending] = await Promise.all([
        read.bulks([job.pos]),
        read.attempts(job.pos),
        read.jobEvents(job.id, MOST_SHOWN),
        read.audit({ target: `job:${job.id}` }, 1, MOST_SHOWN),
        site.andon.why(job.id, scopeOf(principal)),
        site.andon.stages(job.id),
        site.andon.pendingDecision(job.id),
      ]);
      return {
        ...wireSummary(site, job, language),
        payload: job.payload,
        cursor: job.cursor,
        progress: job.progress,
        result: job.result,
        resolution: job.resolution && { ...job.resolution, at: iso(job.resolution.at) },
        bulk: wireBulk(job, bulks.get(job.pos)),
        ...wireStages(job, stages),
        ...(job.awaits ? { awaits: { ...job.awaits, until: isoOrNull(job.awaits.until) } } : {}),
        ...(job.cancelling ? { cancelling: job.cancelling } : {}),
        ...withDecision(pending),
        history: history.map((attempt) => wireAttempt(attempt, language)),
        events: events.map((event) => wireEvent(event, language)),
        audit: audit.items.map((row) => wireAudit(row, language)),
        why: wireWhy(why, language),
        actions: await allowedActions(site, job),
      };
    },

    why: async ({ principal, params, language }) => {
      const job = await visibleJob(site, principal, params.id);
      return wireWhy(await site.andon.why(job.id, scopeOf(principal)), language);
    },

    retry: async (call) => {
      const job = await visibleJob(site, call.principal, call.params.id);
      const { queue, decide } = await queueToDecide(site, job, "retry");
      const decision = decisionOf(call, call.body.reason);
      await (decide?.retry ? decide.retry(job, decision) : queue.retry(job.id, decision));
      return decided(job, messageOf("JOB_RETRIED", call.language));
    },

    skip: async (call) => {
      const job = await visibleJob(site, call.principal, call.params.id);
      const { queue, beforeSkip, decide } = await queueToDecide(site, job, "skip");
      if (decide?.skip) {
        const { pendingDecision } = await decide.skip(job, decisionOf(call, call.body.reason));
        if (pendingDecision) return heldBack(call, job, pendingDecision);
        return decided(job, messageOf("JOB_SKIPPED", call.language));
      }
      const found = job.state === "failed" ? await beforeSkip?.(job) : undefined;
      const held = await queue.skip(job.id, decisionOf(call, call.body.reason), new Map([[job.id, found]]));
      if (held) return heldBack(call, job, held);
      return { ...(await decided(job, messageOf("JOB_SKIPPED", call.language))), ...found };
    },

    cancel: async (call) => {
      const job = await visibleJob(site, call.principal, call.params.id);
      const { queue, decide } = await queueToDecide(site, job, "cancel");
      const decision = decisionOf(call, call.body.reason);
      const cancelled: Cancelled = decide?.cancel
        ? cancelledByApp(await decide.cancel(job, decision))
        : await queue.cancel(job.id, decision, { at: call.body.at });
      if (cancelled.decision) return heldBack(call, job, cancelled.decision);
      const message = cancelled.outcome === "requested" ? "JOB_CANCEL_REQUESTED" : "JOB_CANCELLED";
      return decided(job, messageOf(message, call.language));
    },

    runNow: async (call) => {
      const job = await visibleJob(site, call.principal, call.params.id);
      const { queue } = await queueToDecide(site, job, "run-now");
      await queue.runNow(job.id, decisionOf(call, call.body.reason));
      return decided(job, messageOf("JOB_RUNS_NOW", call.language));
    },
  };
}

function cancelledByApp({ isRequested, pendingDecision: decision }: CarriedOut): Cancelled {
  if (decision) return { outcome: "pending", decision };
  return { outcome: isRequested ? "requested" : "cancelled" };
}

/** The actions that the job's state allows and its app does not forbid. */
async function allowedActions(site: Site, job: JobRow): Promise<JobAction[]> {
  const { mayDecide } = site.queues.get(job.queue) ?? {};
  const actions = (Object.keys(EVENT_OF) as JobAction[]).filter((action) =>
    isAllowed(job.state, EVENT_OF[action]),
  );
  const asked = actions.map(async (action) => {
    try {
      await mayDecide?.(job, action);
      return [action];
    } catch (error) {
      if (isAndonError(error)) return [];
      throw error;
    }
  });
  return (await Promise.all(asked)).flat();
}

function wireWhy(why: Why, language: "ko" | "en") {
  return { ...why, sentence: why[language], facts: withIsoTimes(why.facts) };
}
