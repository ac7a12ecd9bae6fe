import { AndonError, messageOf, type ROUTES, wireDecision } from "@andon/contract";
import type { HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { decisionOf, scopeOf } from "./scope.ts";

/** Decisions that are held back for `decisions.undoWindow`. */
export function serveDecisions({ andon }: Site): HttpServeAll<typeof ROUTES>["decisions"] {
  return {
    show: async ({ principal, params }) => {
      const found = await andon.decision(params.id, scopeOf(principal));
      if (!found) throw new AndonError("DECISION_NOT_FOUND", { decision: params.id });
      return wireDecision(found);
    },

    undo: async (call) => {
      const undone = await andon.undo(call.params.id, decisionOf(call, call.body.reason));
      return {
        success: true as const,
        message: messageOf("DECISION_UNDONE", call.language),
        decision: wireDecision(undone),
      };
    },
  };
}
