import { PLUGIN_ROUTES, ROUTES, type RouteTable } from "@andon/contract";
import type { App } from "@andon/engine";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { serveAccess } from "../access/serve.ts";
import { decorateAccess } from "../access/session-guard.ts";
import { serveAlerts } from "../alerts/serve.ts";
import { appSite } from "../app-site.ts";
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
import { mountConsole } from "./console.ts";
import { mountDocumentation, openApiOf } from "./documentation.ts";
import { guardEveryRoute } from "./guard.ts";
import { type HttpServeAll, mountAll } from "./mount.ts";
import { answerWithProblems, LONGEST_PARAMETER, refuseBeforeRoutes } from "./problems.ts";
import { refuseOtherRoutes } from "./routes-of-the-table.ts";
import { secureAnswers } from "./security-headers.ts";
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
  /** Where the console is reached: what a session's changes must come from. */
  readonly origins: () => readonly string[];
  /** Checks every answer against its schema: for tests. */
  readonly checkAnswers?: boolean;
}

/** The HTTP side of a process: every route of the host and of its apps, guarded, described and observed. */
export async function buildHost(site: Site, options: HostOptions): Promise<FastifyInstance> {
  const { settings } = site;
  const app = Fastify({
    loggerInstance: site.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "traceId" }),
    genReqId: (request) => traceIdOf(request.headers),
    bodyLimit: settings.bodyLimit,
    trustProxy: settings.trustProxy,
    forceCloseConnections: "idle",
    frameworkErrors: refuseBeforeRoutes,
    clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket),
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
  });
  app.decorate("connections", new Connections(app.server));
  const apps = site.apps.filter(isServed);
  const tables = [ROUTES, PLUGIN_ROUTES, ...apps.map((mounted) => mounted.routes)];
  const openApi = openApiOf(tables);

  secureAnswers(app);
  refuseOtherRoutes(app, tables);
  acceptJson(app);
  if (apps.some(takesUploads)) await acceptUploads(app);
  answerWithProblems(app, site.andon.store);
  observeRequests(app, options.metrics, site.traces);
  await decorateAccess(app, site, options.origins);
  guardEveryRoute(app);

  const mounting = { checkAnswers: options.checkAnswers ?? false };
  const events = serveEvents(site);
  app.addHook("preClose", async () => events.closeAll());
  mountAll(
    app,
    ROUTES,
    {
      ...serveOperators(site),
      ...serveAccess(site),
      ...serveAlerts(site),
      system: { ...serveSystem(options, openApi), events: events.serve },
    },
    mounting,
  );
  for (const { routes, serve } of apps) {
    mountAll(app, routes, serve(appSite(site)) as HttpServeAll<RouteTable>, mounting);
  }
  await mountDocumentation(app, openApi);
  await mountConsole(app);
  return app;
}

/** An app that brings routes. */
function isServed(app: App): app is App & Required<Pick<App, "routes" | "serve">> {
  return app.routes !== undefined && app.serve !== undefined;
}

function takesUploads({ routes }: Required<Pick<App, "routes">>): boolean {
  return Object.values(routes).some((group) => Object.values(group).some((route) => route.takes));
}
