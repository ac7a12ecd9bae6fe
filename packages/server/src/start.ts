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
  /** The listening address; null without the role `api`. */
  readonly url: string | null;
  /** A console link if this start created the admin key, else null. */
  readonly consoleLink: string | null;
  readonly site: OpenSite;
  /** Shuts down gracefully. A second call waits for the first. */
  close(): Promise<void>;
}

export interface StartOptions {
  readonly log?: Logger;
  /** The folder of the built console. Default: the console of the server's package. */
  readonly console?: URL;
  /** Checks every answer against its schema. For tests. */
  readonly checkAnswers?: boolean;
  /** The time after which a decision over many jobs is answered with 202. For tests. Default: 2 seconds. */
  readonly answerWithinMs?: number;
  /** The demo's pause per part of a file. For tests. */
  readonly demoPauseMs?: number;
}

/** Starts a process of a site: its workers, and HTTP with the role `api`. It is ready when this resolves. */
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
    // The work starts after the port is open, so that a process that cannot start claims no job.
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
 * The length of the system's queue of connections that are not accepted yet. With Node's 511 the system reset some connections while
 * one long answer was made: a thousand concurrent callers lost a few. The system has its own limit (`somaxconn`, 4,096 on Linux).
 */
const BACKLOG = 4_096;

/** Listens, with our own errors for ports: the system's errors name neither the port nor the setting. */
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
 * Listening and claiming end at once. Requests in flight and running jobs then finish concurrently, each within the grace
 * period, and the store is closed after both.
 */
async function closeAll(host: FastifyInstance | undefined, site: OpenSite): Promise<void> {
  site.log.info("closing");
  await Promise.all([host && closeHost(host, site.settings.shutdownGrace), site.stopWork()]);
  await site.close();
  site.log.info("closed");
}

const IDLE_LOOK_MS = 50;

/** Closes idle connections repeatedly: a keep-alive connection becomes idle with its last answer and would stay open. */
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
