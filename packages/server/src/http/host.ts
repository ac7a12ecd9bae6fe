import { createServer } from "node:http";
import { type ParsedUrlQuery, parse as parseQuery } from "node:querystring";
import type { App } from "@andon/app";
import { PLUGIN_ROUTES, ROUTES, type RouteTable } from "@andon/contract";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { serveAccess } from "../access/serve.ts";
import { decorateAccess } from "../access/session-guard.ts";
import { serveAlerts } from "../alerts/serve.ts";
import { appSite } from "../app-site.ts";
import { serveDemo } from "../demo/serve.ts";
import { serveEvents } from "../events/stream.ts";
import type { Health } from "../observe/health.ts";
import type { Metrics } from "../observe/metrics.ts";
import { observeRequests } from "../observe/requests.ts";
import { traceIdOf } from "../observe/trace-id.ts";
import { serveOperators } from "../operator/serve.ts";
import type { Site } from "../site.ts";
import { acceptJson } from "./body.ts";
import { refuseBrokenRequest } from "./broken-request.ts";
import { Connections } from "./connections.ts";
import { limitConnections } from "./connections-per-address.ts";
import { mountConsole } from "./console.ts";
import { mountDocumentation, openApiOf } from "./documentation.ts";
import { guardEveryRoute } from "./guard.ts";
import { endIdleBodies } from "./idle-bodies.ts";
import { UNREAD_BYTES } from "./limit-bodies.ts";
import { type HttpServeAll, mountAll } from "./mount.ts";
import { oneAtATime } from "./pipelined-requests.ts";
import { answerWithProblems, LONGEST_PARAMETER, refuseBeforeRoutes } from "./problems.ts";
import type { QueueAliases } from "./route-paths.ts";
import { refuseOtherRoutes } from "./routes-of-the-table.ts";
import { secureAnswers } from "./security-headers.ts";
import { acceptNdjson } from "./streamed-items.ts";
import { serveSystem } from "./system.ts";
import { acceptUploads } from "./uploads.ts";

declare module "fastify" {
  interface FastifyInstance {
    connections: Connections;
  }
}

export interface HostOptions {
  readonly health: Health;
  readonly metrics: Metrics;
  /** The addresses of the console. Changes by a session must come from one of them. */
  readonly origins: () => readonly string[];
  /** The folder of the built console. Default: the console of the server's package. */
  readonly console?: URL | undefined;
  /** Checks every answer against its schema. For tests. */
  readonly checkAnswers?: boolean;
}

/** The HTTP side of a process: all routes of the host and its apps, with guard, documentation and observability. */
export async function buildHost(site: Site, options: HostOptions): Promise<FastifyInstance> {
  const { settings } = site;
  const { http } = settings;
  const app = Fastify({
    loggerInstance: site.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "traceId" }),
    genReqId: (request) => traceIdOf(request.headers),
    bodyLimit: settings.bodyLimit,
    trustProxy: settings.trustProxy,
    serverFactory: (serve) =>
      createServer(
        {
          highWaterMark: UNREAD_BYTES,
          keepAliveTimeout: http.idleTimeout,
          headersTimeout: http.headersTimeout,
          connectionsCheckingInterval: Math.min(1_000, http.headersTimeout),
          // Bodies have their own timeout, which a long upload does not exceed as long as it moves.
          requestTimeout: 0,
        },
        oneAtATime(serve),
      ),
    forceCloseConnections: "idle",
    frameworkErrors: refuseBeforeRoutes,
    clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket),
    routerOptions: { maxParamLength: LONGEST_PARAMETER, querystringParser: firstOfQuery },
  });
  app.decorate("connections", new Connections(app.server));
  limitConnections(app.server, settings);
  endIdleBodies(app.server, http.bodyTimeout);
  const apps = site.apps.filter(isServed);
  const tables = [ROUTES, PLUGIN_ROUTES, ...apps.map((mounted) => mounted.routes)];
  const aliases: QueueAliases = Object.assign({}, ...site.apps.map(({ queueAliases }) => queueAliases));
  const openApi = openApiOf({ tables, errors: site.errors, aliases, publicUrl: site.settings.publicUrl });

  secureAnswers(app);
  refuseOtherRoutes(app, tables, aliases);
  acceptJson(app);
  acceptNdjson(app);
  if (apps.some(takesUploads)) await acceptUploads(app);
  answerWithProblems(app, site.andon.store);
  observeRequests(app, options.metrics, site.traces);
  await decorateAccess(app, site, options.origins);
  guardEveryRoute(app);

  const mounting = { checkAnswers: options.checkAnswers ?? false, aliases };
  const events = serveEvents(site);
  app.addHook("preClose", async () => events.closeAll());
  mountAll(
    app,
    ROUTES,
    {
      ...serveOperators(site),
      ...serveAccess(site),
      ...serveAlerts(site),
      demo: serveDemo(site),
      system: { ...serveSystem(options, openApi), events: events.serve },
    },
    mounting,
  );
  for (const { routes, serve } of apps) {
    mountAll(app, routes, serve(appSite(site)) as HttpServeAll<RouteTable>, mounting);
  }
  await mountDocumentation(app, openApi);
  await mountConsole(app, options.console);
  return app;
}

/**
 * No route has as many query members, so a longer query has an unknown or repeated member and is refused anyway. Parsing
 * thousands of them first took longer than all the rest.
 */
const MOST_IN_QUERY = 200;

function firstOfQuery(text: string): ParsedUrlQuery {
  return parseQuery(text, "&", "=", { maxKeys: MOST_IN_QUERY });
}

/** An app with routes. */
function isServed(app: App): app is App & Required<Pick<App, "routes" | "serve">> {
  return app.routes !== undefined && app.serve !== undefined;
}

function takesUploads({ routes }: Required<Pick<App, "routes">>): boolean {
  return Object.values(routes).some((group) =>
    Object.values(group).some((route) => route.takes === "multipart"),
  );
}
