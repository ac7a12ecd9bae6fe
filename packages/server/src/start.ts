import type { AddressInfo } from "node:net";
import { AndonError, shownAddress } from "@andon/contract";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { appSite } from "./app-site.ts";
import type { Settings } from "./config/settings.ts";
import { buildHost } from "./http/host.ts";
import { processLog } from "./observe/log.ts";
import { openMetrics } from "./observe/metrics.ts";
import { type OpenSite, prepareSite } from "./open-site.ts";
import { isLoopback, isWildcard, listeningUrl, ownOrigins } from "./public-address.ts";

export interface RunningServer {
  /** Where it listens; null where this process has no role `api`. */
  readonly url: string | null;
  /** One console link, where this start made the admin key. */
  readonly consoleLink: string | null;
  readonly site: OpenSite;
  /** Shuts down in order; a second call waits for the first. */
  close(): Promise<void>;
}

export interface StartOptions {
  readonly log?: Logger;
  /** Where the built console lies. Default: the one that comes with the server. */
  readonly console?: URL;
  /** Checks every answer against its schema: for tests. */
  readonly checkAnswers?: boolean;
  /** After how long a decision over many jobs is answered with 202: for tests. Default: 2 seconds. */
  readonly answerWithinMs?: number;
  /** How long the demo takes for a part of a file: for tests. */
  readonly demoPauseMs?: number;
}

/** Starts a process of a site: HTTP where it has the role, and its workers. When this resolves, it is ready. */
export async function startServer(settings: Settings, options: StartOptions = {}): Promise<RunningServer> {
  const log = options.log ?? processLog(settings.log);
  let port = settings.port;
  const publicUrl = () => settings.publicUrl ?? listeningUrl(settings.host, port);
  const site = await prepareSite(settings, {
    log,
    publicUrl,
    ...(options.answerWithinMs === undefined ? {} : { answerWithinMs: options.answerWithinMs }),
    ...(options.demoPauseMs === undefined ? {} : { demoPauseMs: options.demoPauseMs }),
  });
  let host: FastifyInstance | undefined;
  try {
    if (settings.roles.includes("api")) {
      host = await buildHost(site, {
        health: site.health,
        metrics: openMetrics(site, appSite(site)),
        origins: () => ownOrigins(settings, port),
        console: options.console,
        checkAnswers: options.checkAnswers ?? false,
      });
      await listen(host, settings);
      port = (host.server.address() as AddressInfo).port;
    }
    // Only a process that has its port begins to work: one that cannot start takes no job.
    await site.start();
  } catch (error) {
    await closeAll(host, site);
    throw error;
  }
  const url = host ? listeningUrl(settings.host, port) : null;
  tellStart(site, url);
  const link = host && site.isFirstStart ? await site.access.loginLink("admin") : undefined;
  let closing: Promise<void> | undefined;
  return {
    url,
    consoleLink: link?.url ?? null,
    site,
    close() {
      closing ??= closeAll(host, site);
      return closing;
    },
  };
}

/**
 * Connections that the system holds until they are accepted. Beyond Node's 511 it resets some of those that come while one
 * long answer is made: a thousand callers at once lost a few. The system has a limit of its own (`somaxconn`, 4,096 on Linux).
 */
const BACKLOG = 4_096;

/** What the system says of a port names neither the port nor the setting. */
async function listen(server: FastifyInstance, { host, port }: Settings): Promise<void> {
  await server.listen({ host, port, backlog: BACKLOG }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "EADDRINUSE") throw new AndonError("PORT_TAKEN", { port, host }, { cause });
    if (cause.code === "EACCES") throw new AndonError("PORT_FORBIDDEN", { port, host }, { cause });
    throw cause;
  });
}

function tellStart({ settings, queues, apps, log }: OpenSite, url: string | null): void {
  const { roles, publicUrl, host, trustProxy } = settings;
  const facts = { url, roles, store: shownAddress(settings.store), queues: [...queues.keys()] };
  log.info({ ...facts, apps: apps.map(({ name }) => name) }, "started");
  if (url && isWildcard(host) && !publicUrl)
    log.warn("publicUrl is not set: links point to localhost, and the console works from there alone");
  if (url && !isLoopback(host) && !publicUrl?.startsWith("https:") && !trustProxy)
    log.warn(
      { host },
      "listening without TLS: tokens and files cross the network in the clear. Put a proxy with TLS before it, and set publicUrl or trustProxy",
    );
}

/**
 * Listening and claiming end at once; requests in flight and running jobs then finish side by side, each up to the grace
 * period, and the store they write to is closed when both are over.
 */
async function closeAll(host: FastifyInstance | undefined, site: OpenSite): Promise<void> {
  site.log.info("closing");
  await Promise.all([host && closeHost(host, site.settings.shutdownGrace), site.stopWork()]);
  await site.close();
  site.log.info("closed");
}

const IDLE_LOOK_MS = 50;

/** A connection that is kept alive becomes idle with the last answer on it, and would stay open for its client's sake. */
async function closeHost(host: FastifyInstance, grace: number): Promise<void> {
  const look = setInterval(() => host.connections.closeIdle(), IDLE_LOOK_MS);
  const cut = setTimeout(() => host.server.closeAllConnections(), grace);
  try {
    await host.close();
  } finally {
    clearInterval(look);
    clearTimeout(cut);
  }
}
