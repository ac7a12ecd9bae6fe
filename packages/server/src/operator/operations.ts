import { AndonError, iso, isoOrNull, type ROUTES } from "@andon/contract";
import type { Operation } from "@andon/engine";
import type { HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { decisionOf, scopeOf } from "./scope.ts";
import { wirePage } from "./wire.ts";

/** Decisions over many jobs, and their progress. */
export function serveOperations({ andon }: Site): HttpServeAll<typeof ROUTES>["operations"] {
  return {
    list: async ({ principal, query: { queue, running, page, limit } }) => {
      const filter = { queue, open: running, ...scopeOf(principal) };
      return wirePage(await andon.findOperations(filter, { page, limit }), wireOperation);
    },

    show: async ({ principal, params }) => {
      const operation = await andon.operation(params.id, scopeOf(principal));
      if (!operation) throw new AndonError("OPERATION_NOT_FOUND", { operation: params.id });
      return wireOperation(operation);
    },

    cancel: async (call) =>
      wireOperation(await andon.cancelOperation(call.params.id, decisionOf(call, call.body.reason))),
  };
}

function wireOperation({ requested, createdAt, finishedAt, leftOut, ...plain }: Operation) {
  return {
    ...plain,
    requestedCount: requested,
    leftOut: { count: leftOut.count, jobs: [...leftOut.jobs] },
    createdAt: iso(createdAt),
    finishedAt: isoOrNull(finishedAt),
  };
}
