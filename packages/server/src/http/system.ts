import { mayDo, type ROUTES } from "@andon/contract";
import type { FastifyRequest } from "fastify";
import type { Health } from "../observe/health.ts";
import type { Metrics } from "../observe/metrics.ts";
import { isScoped } from "./guard.ts";
import { type HttpServeAll, sent } from "./mount.ts";

/** Health, metrics and the OpenAPI document. */
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
      // Serialized once: it is half a megabyte and equal for every caller.
      openApiText ??= JSON.stringify(openApi);
      reply.type("application/json; charset=utf-8").send(openApiText);
      return sent;
    },
  };
}

/** Whether the caller may read the whole site. */
async function isOperator(request: FastifyRequest): Promise<boolean> {
  // Readiness needs no key: a caller with an invalid key is treated like one without.
  const principal = await request.authenticate().catch(() => undefined);
  return principal !== undefined && mayDo(principal, "queue.read") && !isScoped(principal);
}
