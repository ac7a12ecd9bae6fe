import { randomBytes } from "node:crypto";
import type { App, AppSite } from "@andon/app";
import { Andon, type Handler, type StageHandlers, type WorkerHandle } from "@andon/engine";
import { openStore } from "@andon/store";
import type { Logger } from "pino";
import { openAccess } from "./access/access.ts";
import { adminToken } from "./access/admin-key.ts";
import { permissionsOf } from "./access/permissions.ts";
import { openAlerts } from "./alerts/alerts.ts";
import { OUTBOX_RULES_FOR_ALERTS } from "./alerts/outbox-rules.ts";
import { dropOldAlerts } from "./alerts/retention.ts";
import { appSite } from "./app-site.ts";
import { startTasks } from "./app-tasks.ts";
import { openBullmqQueues } from "./bullmq/bullmq-queues.ts";
import { bullmqReady } from "./bullmq/ready.ts";
import { isEmbedded } from "./config/addresses.ts";
import type { Role } from "./config/roles.ts";
import type { Settings } from "./config/settings.ts";
import { settingsOfApp } from "./config/settings-of-apps.ts";
import { Demo } from "./demo/demo.ts";
import { errorsOf } from "./errors-of-apps.ts";
import { migrationsOf } from "./migrations.ts";
import { openBackgroundErrors } from "./observe/background-errors.ts";
import { type Health, openHealth } from "./observe/health.ts";
import { processLog } from "./observe/log.ts";
import { traceStore } from "./observe/traced-store.ts";
import { openTraces } from "./observe/traces.ts";
import { watchedHandlers } from "./observe/watched-handler.ts";
import { protectData } from "./protect-data.ts";
import type { Site } from "./site.ts";
import { defineQueues, type WorkableQueue } from "./site-queues.ts";

export interface OpenSite extends Site {
  readonly health: Health;
  /** Whether this start created the admin key. */
  readonly isFirstStart: boolean;
  /** Starts the roles of this process, except HTTP. */
  start(): Promise<void>;
  /** Stops watching and claiming. Running jobs may finish within the grace period; the others are handed back. */
  stopWork(): Promise<void>;
  /** Stops the work and closes the store. */
  close(): Promise<void>;
}

export interface SiteOptions {
  readonly log?: Logger;
  /** Called when a link is made: with port 0 the address is known only after listening. */
  readonly publicUrl?: () => string;
  /** The time after which a decision over many jobs is answered with 202. Default: 2 seconds. */
  readonly answerWithinMs?: number;
  /** The demo's pause per part of a file. For tests. */
  readonly demoPauseMs?: number;
}

const ANSWER_WITHIN_MS = 2_000;

/** Opens everything of a process and starts its roles. `startServer` adds HTTP. */
export async function openSite(settings: Settings, options?: SiteOptions): Promise<OpenSite> {
  const site = await prepareSite(settings, options);
  await site.start();
  return site;
}

/** Opens everything of a process: the store with all tables, the queues, access, alerts. Nothing runs yet. */
export async function prepareSite(settings: Settings, options: SiteOptions = {}): Promise<OpenSite> {
  const { apps } = settings;
  const { alerts: keepAlerts, ...keep } = settings.keep;
  const log = options.log ?? processLog(settings.log);
  const traces = await openTraces(settings.telemetry);
  await protectData(settings, log);
  const store = await openStore(settings.store);
  traceStore(store, traces);
  const backgroundErrors = openBackgroundErrors(store, log);
  const andon = new Andon(store, {
    decisions: settings.decisions,
    outbox: OUTBOX_RULES_FOR_ALERTS,
    // Requests of the same turn of the event loop share a commit.
    gather: "turn",
    onError: backgroundErrors.tell,
    around: watchedHandlers(log, traces),
    keep,
  });
  try {
    await store.migrate(migrationsOf(settings));
    for (const app of apps)
      await app.open?.({
        andon,
        settings: settingsOfApp(app, settings),
        data: settings.data,
        redisUrl: settings.redisUrl,
        log,
        language: settings.alerts.language,
      });
    const alerts = openAlerts({
      andon,
      settings: settings.alerts,
      log,
      isEmbedded: isEmbedded(settings.store),
      own: Object.assign({}, ...apps.map((app) => app.alerts)),
      // Without `publicUrl`, a link would lead the reader of a mail to the wrong machine.
      publicUrl: () => settings.publicUrl ?? "",
    });
    andon.addDuty("alerts", () => dropOldAlerts(andon, keepAlerts));
    const queues = new Map<string, WorkableQueue>();
    const forApps: AppSite = appSite({ andon, queues, apps });
    for (const [name, queue] of defineQueues({ andon, alerts, apps, settings }, forApps))
      queues.set(name, queue);
    for (const app of apps) await app.prepare?.(forApps);
    const key = await keyOf(settings);
    const access = await openAccess({
      andon,
      adminToken: key.token,
      publicUrl: options.publicUrl ?? (() => settings.publicUrl ?? ""),
      jwt: settings.auth.jwt,
      permissions: permissionsOf({ apps, settings }).map(({ name }) => name),
      log,
    });
    const bullmq = openBullmqQueues(settings);
    const running = runningRoles(log, forApps);
    const answerWithinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS;
    const errors = errorsOf(apps);
    const demo = new Demo({ andon, alerts, queues, data: settings.data, pauseMs: options.demoPauseMs });
    const site: Site = {
      settings,
      log,
      andon,
      queues,
      bullmq,
      apps,
      access,
      alerts,
      demo,
      traces,
      answerWithinMs,
      errors,
    };
    return {
      ...site,
      health: openHealth(store, [...apps, { name: "bullmq", ready: () => bullmqReady(bullmq) }], forApps),
      isFirstStart: key.made,
      async start() {
        await running.start(site, queues);
        if (settings.roles.includes("api")) await demo.reopen();
      },
      stopWork: running.close,
      async close() {
        await running.close();
        await bullmq.close();
        backgroundErrors.close();
        await closeApps(apps);
        await andon.close();
        await traces.close();
      },
    };
  } catch (error) {
    backgroundErrors.close();
    await closeApps(apps);
    await andon.close();
    await traces.close();
    throw error;
  }
}

async function closeApps(apps: readonly App[]): Promise<void> {
  for (const app of apps) await app.close?.();
}

/** A process without the role `api` needs no admin key, and must not create one that nobody learns. */
async function keyOf(settings: Settings): Promise<{ token: string; made: boolean }> {
  if (!settings.roles.includes("api")) return { token: randomBytes(32).toString("base64url"), made: false };
  return adminToken(settings.data, settings.adminToken);
}

interface Closeable {
  close(): Promise<void>;
}

type StartRole = (site: Site, queues: ReadonlyMap<string, WorkableQueue>) => Promise<Closeable[]>;

/** What each role starts. Every process that works or delivers also handles schedules, sweeps and due jobs. */
const ROLE_STARTS: Record<Role, StartRole> = {
  api: async () => [],
  work: async ({ settings }, queues) => {
    const handles: WorkerHandle[] = [];
    for (const { queue, handler, work } of queues.values()) {
      if (!handler) continue;
      handles.push(
        await queue.work(handler as Handler | StageHandlers | URL, {
          grace: settings.shutdownGrace,
          ...work,
        }),
      );
    }
    return handles;
  },
  deliver: async ({ settings, alerts, andon }) => {
    alerts.deliverers();
    return [await andon.outbox.work({ grace: settings.shutdownGrace })];
  },
  watch: async ({ alerts, bullmq }) => [
    alerts.start(),
    ...(bullmq.names.length > 0 ? [alerts.watchBullmq(bullmq)] : []),
  ],
};

function runningRoles(log: Logger, forApps: AppSite) {
  const running: Closeable[] = [];
  return {
    async start(site: Site, queues: ReadonlyMap<string, WorkableQueue>): Promise<void> {
      for (const role of new Set(site.settings.roles))
        running.push(...(await ROLE_STARTS[role](site, queues)), ...startTasks(site, forApps, role));
    },
    async close(): Promise<void> {
      const ends = await Promise.allSettled(running.splice(0).map((part) => part.close()));
      for (const end of ends)
        if (end.status === "rejected") log.error({ err: end.reason }, "could not close");
    },
  };
}
