import type { ROUTES } from "@andon/contract";
import type { HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { tenantOf } from "./scope.ts";
import { wireAudit, wirePage } from "./wire.ts";

export function serveAudit(site: Site): HttpServeAll<typeof ROUTES>["audit"] {
  return {
    list: async ({ principal, query }) => {
      const { page, limit, ...filter } = query;
      const scope = { ...filter, tenant: tenantOf(principal) };
      const found = await site.andon.store.read.audit(scope, page, limit);
      return wirePage(found, wireAudit);
    },
    verify: () => site.andon.verifyAudit(),
  };
}
