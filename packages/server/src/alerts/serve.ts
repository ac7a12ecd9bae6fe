import type { ROUTES } from "@andon/contract";
import type { HttpServeAll } from "../http/mount.ts";
import { wirePage } from "../operator/wire.ts";
import type { Site } from "../site.ts";

export function serveAlerts({ alerts }: Site): Pick<HttpServeAll<typeof ROUTES>, "alerts"> {
  return {
    alerts: {
      list: async ({ query: { page, limit, ...filter } }) =>
        wirePage(await alerts.list(filter, page, limit), (alert) => alert),
      show: ({ params }) => alerts.show(params.id),
      test: ({ principal, body }) => alerts.test(principal.actor, body.reason),
    },
  };
}
