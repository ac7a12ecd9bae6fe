import {
  AndonError,
  type Decision,
  isAndonError,
  type Job,
  messageOf,
  type Principal,
  type VAULT_ROUTES,
} from "@andon/contract";
import type { ServeAll } from "@andon/engine";
import { SYNC_QUEUE, type VaultParts } from "../parts.ts";
import { beforeSkip, type SkipFindings } from "./before-skip.ts";
import { failedOperation } from "./failed-operation.ts";
import { heldFiles } from "./held-files.ts";
import { simulate } from "./simulate.ts";
import { standingOf } from "./standing.ts";

const success = true as const;

/** What an operator decides about one file. */
export function serveSyncQueue(parts: VaultParts): ServeAll<typeof VAULT_ROUTES>["syncQueue"] {
  const { andon } = parts;
  const { store } = andon;
  const queue = () => parts.queue(SYNC_QUEUE);
  const failed = ({ tenantId }: Principal, fileId: string) => failedOperation(store, tenantId, fileId);

  const lookBeforeSkip = async (jobId: string): Promise<SkipFindings> =>
    beforeSkip(parts, (await andon.job(jobId)) as Job);

  return {
    retry: async ({ principal, params: { fileId }, body, language }) => {
      const { jobId } = await failed(principal, fileId);
      await notDecidedYet(queue().retry(jobId, decisionOf(principal, body.reason)));
      return {
        success,
        message: messageOf("JOB_RETRIED", language),
        fileId,
        syncQueueId: jobId,
        affected: 1,
      };
    },

    skip: async ({ principal, params: { fileId }, body, language }) => {
      const { jobId } = await failed(principal, fileId);
      const findings = await lookBeforeSkip(jobId);
      const decision = decisionOf(principal, body.reason);
      await notDecidedYet(queue().skip(jobId, decision, new Map([[jobId, findings]])));
      const message = messageOf("JOB_SKIPPED", language);
      return { success, message, fileId, syncQueueId: jobId, affected: 1, ...findings };
    },

    cancel: async ({ principal, params: { fileId }, body, language }) => {
      const { jobId } = await failed(principal, fileId);
      const findings = new Map([[jobId, await lookBeforeSkip(jobId)]]);
      const decision = decisionOf(principal, body.reason);
      const { cancelled } = await notDecidedYet(queue().skipWithRest(jobId, decision, findings));
      const message = messageOf("REST_CANCELLED", language, { count: cancelled });
      return { success, message, fileId, syncQueueId: jobId, affected: cancelled + 1 };
    },

    simulate: async ({ principal, params: { fileId } }) => {
      const standing = await standingOf(parts, await failed(principal, fileId));
      const { databasePath, nasPath, occupied } = standing;
      const there = occupied ? { occupied } : {};
      return { fileId, databasePath: databasePath ?? "", nasPath, ...there, choices: simulate(standing) };
    },

    held: ({ principal, query }) => heldFiles(store, principal.tenantId, query),
  };
}

/** Somebody else has decided since the file was looked up: it is held no more. */
async function notDecidedYet<T>(deciding: Promise<T>): Promise<T> {
  try {
    return await deciding;
  } catch (error) {
    throw isAndonError(error, "JOB_STATE") ? new AndonError("FILE_NOT_HELD", {}, { cause: error }) : error;
  }
}

/** The file was looked up as the caller's own, so the decision itself needs no tenant. */
function decisionOf({ actor }: Principal, reason: string | undefined): Decision {
  return { actor, ...(reason === undefined ? {} : { reason }) };
}
