import type { ROUTES } from "@andon/contract";
import type { HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { scopeOf } from "./scope.ts";
import { wireAudit, wirePage } from "./wire.ts";

const msOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));

export function serveAudit(site: Site): HttpServeAll<typeof ROUTES>["audit"] {
  return {
    list: async ({ principal, query, language }) => {
      const { page, limit, from, to, ...filter } = query;
      const span = { from: msOf(from), to: msOf(to) };
      const scope = { ...filter, ...span, ...scopeOf(principal) };
      const found = await site.andon.store.read.audit(scope, page, limit);
      return wirePage(found, (row) => wireAudit(row, language));
    },
    verify: ({ query: { full } }) => site.andon.verifyAudit({ full: full === "true" }),
  };
}
