import type { ROUTES } from "@andon/contract";
import type { HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { scopeOf } from "./scope.ts";
import { wireAudit, wirePage } from "./wire.ts";

export function serveAudit(site: Site): HttpServeAll<typeof ROUTES>["audit"] {
  return {
    list: async ({ principal, query, language }) => {
      const { page, limit, ...filter } = query;
      const scope = { ...filter, ...scopeOf(principal) };
      const found = await site.andon.store.read.audit(scope, page, limit);
      return wirePage(found, (row) => wireAudit(row, language));
    },
    verify: ({ query: { full } }) => site.andon.verifyAudit({ full: full === "true" }),
  };
}
