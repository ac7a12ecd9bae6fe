import {
  AndonError,
  errorText,
  iso,
  isoOrNull,
  type Lane,
  type Language,
  localError,
  messageOf,
  type Principal,
  type ROUTES,
  type StopCertificate,
} from "@andon/contract";
import type { HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { answerInTime } from "./answer-in-time.ts";
import { decidableQueue, knownQueue } from "./find.ts";
import { decisionOf, namedLaneTenant } from "./scope.ts";
import { wirePage } from "./wire.ts";

const success = true as const;

export function serveLanes(site: Site): HttpServeAll<typeof ROUTES>["lanes"] {
  const { read } = site.andon.store;

  const wireLane = async ({ held, tenant: tenantId, ...rest }: Lane, language: Language) => {
    const lane = { ...rest, tenantId };
    if (!held) return { ...lane, held: null };
    const failed = held.jobId === null ? undefined : await read.job({ id: held.jobId });
    const error = failed?.error ? errorText(localError(failed.error, language)) : null;
    return { ...lane, held: { ...held, at: iso(held.at), error } };
  };

  const whose = (call: { principal: Principal; body: { tenantId?: string | undefined } }) => ({
    tenant: namedLaneTenant(call.principal, call.body.tenantId),
  });

  return {
    list: async ({ principal, params, query, language }) => {
      const tenant = namedLaneTenant(principal, query.tenantId);
      await knownQueue(site, params.queue);
      const isOfAll = query.allTenants && principal.tenantId === null && query.tenantId === undefined;
      const filter = {
        queue: params.queue,
        ...(isOfAll ? {} : { tenant }),
        ...(query.held ? { held: true } : {}),
      };
      const page = await read.lanes(filter, query.page, query.limit);
      const items = await Promise.all(page.items.map((lane) => wireLane(lane, language)));
      return wirePage({ ...page, items }, (lane) => lane);
    },

    hold: async (call) => {
      const { queue } = await decidableQueue(site, call.params.queue);
      const { changed } = await queue.hold(call.body.key, decisionOf(call, call.body.reason), whose(call));
      return {
        success,
        changed,
        message: messageOf(changed ? "LANE_HELD" : "LANE_UNCHANGED", call.language),
      };
    },

    release: async (call) => {
      const { queue } = await decidableQueue(site, call.params.queue);
      const { changed } = await queue.release(call.body.key, decisionOf(call, call.body.reason), whose(call));
      const message = messageOf(changed ? "LANE_RELEASED" : "LANE_UNCHANGED", call.language);
      return { success, changed, message };
    },

    cancelRest: async (call) => {
      const { queue } = await decidableQueue(site, call.params.queue);
      const started = await queue.startCancelRest(
        call.body.key,
        decisionOf(call, call.body.reason),
        whose(call),
      );
      return answerInTime(site, call.reply, started, ({ cancelled }) => {
        const message = messageOf("REST_CANCELLED", call.language, { count: cancelled });
        return { success, cancelledCount: cancelled, message };
      });
    },
  };
}

export function serveStops(site: Site): HttpServeAll<typeof ROUTES>["stops"] {
  return {
    list: async ({ params, query, language }) => {
      await knownQueue(site, params.queue);
      const page = await site.andon.store.read.stops(params.queue, query.page, query.limit);
      return wirePage(page, (stop) => wireCertificate(stop, language));
    },

    certificate: async ({ params, language }) => {
      const verdict = await site.andon.verifyStop(params.stopId);
      if (verdict.certificate.queue !== params.queue) {
        throw new AndonError("STOP_NOT_FOUND", { stop: params.stopId });
      }
      const { certificate, holds, inFeed, feedKept, violations } = verdict;
      return {
        certificate: wireCertificate(certificate, language),
        holds,
        inFeed,
        feedKept,
        violations: violations.map((claim) => ({ ...claim, at: iso(claim.at) })),
      };
    },
  };
}

function wireCertificate(certificate: StopCertificate, language: Language) {
  const { at, error, inFlight, lastStarted, resumedAt, ...plain } = certificate;
  return {
    ...plain,
    error: error && localError(error, language),
    at: iso(at),
    inFlight: inFlight.map((job) => ({ ...job, startedAt: iso(job.startedAt) })),
    lastStarted: lastStarted && { ...lastStarted, at: iso(lastStarted.at) },
    resumedAt: isoOrNull(resumedAt),
  };
}
