import { mayDo, type ROUTES } from "@andon/contract";
import type { FastifyRequest } from "fastify";
import type { Health } from "../observe/health.ts";
import type { Metrics } from "../observe/metrics.ts";
import { isScoped } from "./guard.ts";
import { type HttpServeAll, sent } from "./mount.ts";

/** Health, figures and the description of this API. */
export function serveSystem(
  { health, metrics }: { health: Health; metrics: Metrics },
  openApi: object,
): Omit<HttpServeAll<typeof ROUTES>["system"], "events"> {
  let openApiText: string | undefined;
  return {
    alive: async () => ({ status: "ok" as const }),
    ready: async ({ request, reply }) => {
      const readiness = await health.ready(() => isOperator(request));
      reply.code(readiness.status === "unavailable" ? 503 : 200);
      return readiness;
    },
    metrics: async ({ reply }) => {
      reply.type(metrics.contentType).send(await metrics.text());
      return sent;
    },
    openapi: async ({ reply }) => {
      // Half a megabyte, and the same for everybody.
      openApiText ??= JSON.stringify(openApi);
      reply.type("application/json; charset=utf-8").send(openApiText);
      return sent;
    },
  };
}

/** Whoever may look at the whole site. */
async function isOperator(request: FastifyRequest): Promise<boolean> {
  // Readiness is for everybody: whoever is refused elsewhere is just nobody here.
  const principal = await request.authenticate().catch(() => undefined);
  return principal !== undefined && mayDo(principal, "queue.read") && !isScoped(principal);
}
