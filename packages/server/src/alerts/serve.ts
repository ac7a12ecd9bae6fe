import type { ROUTES } from "@andon/contract";
import type { HttpServeAll } from "../http/mount.ts";
import { wirePage } from "../operator/wire.ts";
import type { Site } from "../site.ts";
import type { SnoozeUntil } from "./acknowledge.ts";

export function serveAlerts({ alerts }: Site): Pick<HttpServeAll<typeof ROUTES>, "alerts"> {
  return {
    alerts: {
      list: async ({ query: { page, limit, ...filter }, language }) =>
        wirePage(await alerts.list(filter, page, limit, language), (alert) => alert),
      show: ({ params, language }) => alerts.show(params.id, language),
      acknowledge: async ({ principal, params: { id }, body, language }) => {
        await alerts.acknowledge(id, principal.actor, body.reason);
        return alerts.show(id, language);
      },
      snooze: async ({ principal, params: { id }, body, language }) => {
        const wish: SnoozeUntil =
          body.until === undefined ? { for: body.for ?? 0 } : { until: Date.parse(body.until) };
        await alerts.snooze(id, principal.actor, wish, body.reason);
        return alerts.show(id, language);
      },
      test: ({ principal, body, language }) => alerts.test(principal.actor, body.reason, language),
    },
  };
}
