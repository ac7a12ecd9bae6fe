import * as z from "zod";
import { route } from "./route.ts";
import { heldDecision, optionalReason, text } from "./wire.ts";

const id = z.strictObject({ id: text(100).describe("The decision's id.") });

export const decisionRoutes = {
  show: route({
    method: "GET",
    path: "/admin/decisions/:id",
    access: "queue.read",
    summary: "A decision that is or was held back.",
    params: id,
    answer: heldDecision,
    errors: ["DECISION_NOT_FOUND"],
  }),
  undo: route({
    method: "POST",
    path: "/admin/decisions/:id/undo",
    access: "queue.operate",
    summary: "Undoes a decision that is not applied yet; the job stays as it is.",
    params: id,
    body: optionalReason,
    answer: z.strictObject({ success: z.literal(true), message: z.string(), decision: heldDecision }),
    errors: ["DECISION_NOT_FOUND", "DECISION_SETTLED"],
  }),
};
