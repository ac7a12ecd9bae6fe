import { type Decision, isAndonError } from "@andon/contract";
import { FileflowError } from "../contract/errors.ts";
import type { Figures } from "../figures.ts";
import { EXECUTION_QUEUE, type FileflowContext, type Scope } from "../fileflow-context.ts";
import { findExecution } from "./execution-rows.ts";

/** A cancel that is accepted always ends CANCELLED; where the completion won, it is refused. */
export async function cancelExecution(
  context: FileflowContext,
  figures: Figures,
  scope: Scope,
  id: string,
  decision: Decision,
) {
  const { store } = context.andon;
  await findExecution(store, scope, id);
  const startedAt = store.clock.now();
  try {
    const { outcome } = await context.queue(EXECUTION_QUEUE).cancel(id, decision, { at: "boundary" });
    figures.count("cancels", "accepted");
    if (outcome === "cancelled") {
      figures.time("cancel", "", store.clock.now() - startedAt);
      return { accepted: true as const, status: "CANCELLED" as const };
    }
    await store.transaction("cancel-requested", (tx) =>
      tx.query(
        `update fileflow_executions set cancel_requested_at = coalesce(cancel_requested_at, $2)
         where id = $1 and ended_status is null`,
        [id, startedAt],
      ),
    );
    return { accepted: true as const, status: "RUNNING" as const };
  } catch (error) {
    if (isAndonError(error, "JOB_NOT_FOUND")) throw new FileflowError("PP-404-EXEC");
    if (!isAndonError(error, "JOB_STATE")) throw error;
    figures.count("cancels", "refused");
    const { status } = await findExecution(store, scope, id);
    throw new FileflowError("PP-409-STATE", { state: status, action: "cancel" }, { cause: error });
  }
}
