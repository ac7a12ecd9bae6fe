import type { ServeAll } from "@andon/app";
import type { Language } from "@andon/contract";
import { newId } from "@andon/engine";
import type { VAULT_ROUTES } from "../contract/routes.ts";
import { DRIFT_QUEUE, type VaultContext } from "../vault-context.ts";
import { VERIFY_JOB } from "./drift-queue.ts";
import { listFindings } from "./findings.ts";
import { repairFindings } from "./repair.ts";
import { addRun, dropOldRuns, findRun, shownRun } from "./runs.ts";
import { leftOutOf, type VerifyPayload } from "./verify.ts";

/** Comparisons of the store with the cache and the NAS. */
export function serveDrift(vault: VaultContext): ServeAll<typeof VAULT_ROUTES>["drift"] {
  const { store } = vault.andon;
  const shown = async (id: string, language: Language) => {
    const run = await findRun(store, id);
    const job = await vault.andon.job(run.jobId);
    return shownRun(run, job && leftOutOf(job), language);
  };
  return {
    start: async ({ principal, body, traceId, language }) => {
      const now = store.clock.now();
      const payload: VerifyPayload = { runId: newId(now), checksum: body.checksum ?? false };
      const { runId: id, checksum } = payload;
      await store.transaction("drift-start", async (tx) => {
        const { id: jobId } = await vault
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
      return shown(id, language);
    },

    show: ({ params, language }) => shown(params.id, language),

    findings: async ({ params, query }) => listFindings(store, (await findRun(store, params.id)).id, query),

    repair: async ({ principal, params, body, traceId }) => {
      const { id } = await findRun(store, params.id);
      const result = await repairFindings(vault, id, { principal, reason: body.reason, traceId });
      return { success: true, ...result };
    },
  };
}
