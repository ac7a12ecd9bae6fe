import { type App, type AppHost, type AppSite, defineApp, type ServeAll } from "@andon/app";
import { type AbortFlags, STORE_FLAGS } from "./abort/abort-flags.ts";
import { redisFlags } from "./abort/redis-flags.ts";
import { renewFlags } from "./abort/renew-flags.ts";
import { type BroadcastContext, BULK_QUEUE, PUSH_QUEUE, scopeOf } from "./broadcast-context.ts";
import { BulkDecisions } from "./bulk-jobs/bulk-decisions.ts";
import { bulkQueue } from "./bulk-jobs/bulk-queue.ts";
import { forgetPurgedJobs } from "./bulk-jobs/forget-bulk-job.ts";
import { serveBulkJobs } from "./bulk-jobs/serve-bulk-jobs.ts";
import { dropDeletedChannels } from "./channels/drop-deleted.ts";
import { forgetImports } from "./channels/import-progress.ts";
import { serveChannels } from "./channels/serve-channels.ts";
import { BROADCAST_ALERTS } from "./contract/alerts.ts";
import { BROADCAST_ERRORS } from "./contract/errors.ts";
import { BROADCAST_PERMISSIONS } from "./contract/permissions.ts";
import { BROADCAST_ROUTES } from "./contract/routes.ts";
import { BROADCAST_SETTINGS, type BroadcastSettings } from "./contract/settings.ts";
import { listNotifications, listPushes } from "./notifications/list-written.ts";
import { pushQueue } from "./pushes/push-queue.ts";
import type { PushSender } from "./pushes/push-sender.ts";
import { senderOf } from "./pushes/sender-of.ts";

/** Options for a program that mounts this app itself. */
export interface BroadcastOptions {
  /** Where pushes go. Default: the target in the settings. */
  readonly sender?: PushSender;
}

interface Opened {
  readonly settings: BroadcastSettings;
  readonly flags: AbortFlags;
  readonly sender: PushSender;
}

/** Bulk notifications. Each host needs its own value, because the value holds the host's Redis connection. */
export function broadcastApp(options: BroadcastOptions = {}): App<typeof BROADCAST_ROUTES> {
  let opened: Opened | undefined;
  let decisions: BulkDecisions | undefined;
  const contextOf = (site: AppSite): BroadcastContext => {
    const { settings, flags } = isOpen(opened);
    return { ...site, settings, flags };
  };
  const decisionsOf = (site: AppSite): BulkDecisions => {
    decisions ??= new BulkDecisions(contextOf(site));
    return decisions;
  };
  return defineApp({
    name: "broadcast",
    settings: BROADCAST_SETTINGS,
    migrations: new URL("../migrations/", import.meta.url),
    permissions: BROADCAST_PERMISSIONS,
    errors: BROADCAST_ERRORS,
    async open(host) {
      opened = openParts(options, host);
      host.andon.addDuty("broadcast", async () => {
        await forgetPurgedJobs(host.andon.store);
        await dropDeletedChannels(host.andon.store);
        await forgetImports(host.andon.store, isOpen(opened).settings.keep);
      });
    },
    async close() {
      decisions?.close();
      await opened?.flags.close();
    },
    queues: (site) => ({
      [BULK_QUEUE]: bulkQueue(contextOf(site), decisionsOf(site)),
      [PUSH_QUEUE]: pushQueue(site.andon.store, isOpen(opened).sender),
    }),
    alerts: BROADCAST_ALERTS,
    routes: BROADCAST_ROUTES,
    serve: (site) => serve(contextOf(site), decisionsOf(site)),
    ready: async () => readiness(isOpen(opened).flags),
    tasks: [{ role: "work", run: (site, signal) => renewFlags(contextOf(site), signal) }],
  });
}

function isOpen(opened: Opened | undefined): Opened {
  if (!opened) throw new Error("the app broadcast is not open");
  return opened;
}

function openParts({ sender }: BroadcastOptions, { settings, redisUrl, log }: AppHost): Opened {
  const own = settings.broadcast as BroadcastSettings;
  return {
    settings: own,
    flags: redisUrl === undefined ? STORE_FLAGS : redisFlags(redisUrl, own.abortTtl),
    sender: sender ?? senderOf(own.push, log),
  };
}

function serve(context: BroadcastContext, decisions: BulkDecisions): ServeAll<typeof BROADCAST_ROUTES> {
  const { store } = context.andon;
  return {
    channels: serveChannels(context),
    bulkJobs: serveBulkJobs(context, decisions),
    written: {
      notifications: (call) => listNotifications(store, scopeOf(call), call.query),
      pushes: (call) => listPushes(store, scopeOf(call), call.query),
    },
  };
}

/** The readiness of Redis if the settings name one. Without Redis, aborts go through the store alone. */
async function readiness(flags: AbortFlags) {
  if (!flags.isSeparate) return [];
  const problem = await flags.ping().then(
    () => null,
    (error: Error) => error.message || "does not answer",
  );
  return [{ name: "redis", ok: problem === null, problem }];
}
