import type { ROUTES } from "@andon/contract";
import type { Health } from "../observe/health.ts";
import type { Metrics } from "../observe/metrics.ts";
import { type HttpServeAll, sent } from "./mount.ts";

/** Health, figures and the description of this API. */
export function serveSystem(
  { health, metrics }: { health: Health; metrics: Metrics },
  openApi: object,
): Omit<HttpServeAll<typeof ROUTES>["system"], "events"> {
  return {
    alive: async () => ({ status: "ok" as const }),
    ready: async ({ reply }) => {
      const readiness = await health.ready();
      reply.code(readiness.status === "unavailable" ? 503 : 200);
      return readiness;
    },
    metrics: async ({ reply }) => {
      reply.type(metrics.contentType).send(await metrics.text());
      return sent;
    },
    openapi: async () => openApi,
  };
}
