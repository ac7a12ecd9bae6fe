import type { VAULT_ROUTES } from "@andon/contract";
import { newId, type ServeAll } from "@andon/engine";
import { DRIFT_QUEUE, type VaultParts } from "../parts.ts";
import { VERIFY_JOB } from "./drift-queue.ts";
import { listFindings } from "./findings.ts";
import { repairFindings } from "./repair.ts";
import { addRun, dropOldRuns, findRun, shownRun } from "./runs.ts";
import { leftOutOf, type VerifyPayload } from "./verify.ts";

/** Comparisons of the store with the cache and the NAS. */
export function serveDrift(parts: VaultParts): ServeAll<typeof VAULT_ROUTES>["drift"] {
  const { store } = parts.andon;
  const shown = async (id: string) => {
    const run = await findRun(store, id);
    const job = await parts.andon.job(run.jobId);
    return shownRun(run, job && leftOutOf(job));
  };
  return {
    start: async ({ principal, body, traceId }) => {
      const now = store.clock.now();
      const payload: VerifyPayload = { runId: newId(now), checksum: body.checksum ?? false };
      const { runId: id, checksum } = payload;
      await store.transaction("drift-start", async (tx) => {
        const { id: jobId } = await parts
          .queue(DRIFT_QUEUE)
          .add(payload, { tx, name: VERIFY_JOB, key: VERIFY_JOB, traceId });
        await addRun(tx, { id, jobId, checksum, now });
        await dropOldRuns(tx);
        const { actor } = principal;
        await tx.addAudit({
          actor,
          action: "drift.start",
          target: `drift:${id}`,
          reason: body.reason?.trim() || null,
          before: null,
          after: { checksum },
        });
      });
      return shown(id);
    },

    show: ({ params }) => shown(params.id),

    findings: async ({ params, query }) => listFindings(store, (await findRun(store, params.id)).id, query),

    repair: async ({ principal, params, body, traceId }) => {
      const { id } = await findRun(store, params.id);
      const result = await repairFindings(parts, id, { principal, reason: body.reason, traceId });
      return { success: true, ...result };
    },
  };
}
