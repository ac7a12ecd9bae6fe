import { type Decision, isAndonError, withDecision } from "@andon/contract";
import type { Cancelled } from "@andon/engine";
import { FileflowError } from "../contract/errors.ts";
import type { Figures } from "../figures.ts";
import { EXECUTION_QUEUE, type FileflowContext, type Scope } from "../fileflow-context.ts";
import { findExecution } from "./execution-rows.ts";

/**
 * An accepted cancel always ends as CANCELLED. If the execution completed first, the cancel is refused. A cancel that is held
 * back is not accepted yet.
 */
export async function cancelExecution(
  context: FileflowContext,
  figures: Figures,
  scope: Scope,
  id: string,
  decision: Decision,
) {
  const { store } = context.andon;
  await findExecution(store, scope, id);
  try {
    const { outcome, decision: held } = await cancelAtBoundary(context, figures, id, decision);
    if (outcome === "cancelled") return { accepted: true as const, status: "CANCELLED" as const };
    if (outcome === "requested") return { accepted: true as const, status: "RUNNING" as const };
    const { status } = await findExecution(store, scope, id);
    return { accepted: true as const, status, ...withDecision(held) };
  } catch (error) {
    if (isAndonError(error, "JOB_NOT_FOUND")) throw new FileflowError("PP-404-EXEC");
    if (!isAndonError(error, "JOB_STATE")) throw error;
    figures.count("cancels", "refused");
    const { status } = await findExecution(store, scope, id);
    throw new FileflowError("PP-409-STATE", { state: status, action: "cancel" }, { cause: error });
  }
}

/** The cancel itself, through any route. A cancel that is held back is counted when it takes effect. */
export async function cancelAtBoundary(
  context: FileflowContext,
  figures: Figures,
  id: string,
  decision: Decision,
): Promise<Cancelled> {
  const { store } = context.andon;
  const startedAt = store.clock.now();
  const cancelled = await context.queue(EXECUTION_QUEUE).cancel(id, decision, { at: "boundary" });
  if (cancelled.outcome === "pending") return cancelled;
  figures.count("cancels", "accepted");
  if (cancelled.outcome === "cancelled") {
    figures.time("cancel", "", store.clock.now() - startedAt);
    return cancelled;
  }
  await store.transaction("cancel-requested", (tx) =>
    tx.query(
      `update fileflow_executions set cancel_requested_at = coalesce(cancel_requested_at, $2)
       where id = $1 and ended_status is null`,
      [id, startedAt],
    ),
  );
  return cancelled;
}
