import { Accepted, type ServeAll } from "@andon/app";
import {
  type Decision,
  type HeldDecision,
  heldBackMessage,
  isAndonError,
  type Job,
  type Language,
  messageOf,
  type Principal,
  withDecision,
} from "@andon/contract";
import { VaultError } from "../contract/errors.ts";
import type { VAULT_ROUTES } from "../contract/routes.ts";
import { SYNC_QUEUE, type VaultContext } from "../vault-context.ts";
import { beforeSkip, type SkipFindings } from "./before-skip.ts";
import { failedOperation } from "./file-operations.ts";
import { heldFiles } from "./held-files.ts";
import { heldFileState, simulate } from "./simulate.ts";

const success = true as const;

/** The operator's decisions about one file. */
export function serveSyncQueue(vault: VaultContext): ServeAll<typeof VAULT_ROUTES>["syncQueue"] {
  const { andon } = vault;
  const queue = () => vault.queue(SYNC_QUEUE);
  const failed = (principal: Principal, fileId: string) => failedOperation(andon, principal, fileId);

  const checkBeforeSkip = async (jobId: string): Promise<SkipFindings> =>
    beforeSkip(vault, (await andon.job(jobId)) as Job);

  return {
    retry: async ({ principal, params: { fileId }, body, language }) => {
      const { jobId } = await failed(principal, fileId);
      await orNotHeld(queue().retry(jobId, decisionOf(principal, body.reason)));
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
      const findings = await checkBeforeSkip(jobId);
      const decision = decisionOf(principal, body.reason);
      const held = await orNotHeld(queue().skip(jobId, decision, new Map([[jobId, findings]])));
      if (held) return new Accepted({ ...heldBack(fileId, held, language), ...findings });
      const message = messageOf("JOB_SKIPPED", language);
      return { success, message, fileId, syncQueueId: jobId, affected: 1, ...findings };
    },

    cancel: async ({ principal, params: { fileId }, body, language }) => {
      const { jobId } = await failed(principal, fileId);
      const findings = new Map([[jobId, await checkBeforeSkip(jobId)]]);
      const decision = decisionOf(principal, body.reason);
      const skipped = await orNotHeld(queue().skipWithRest(jobId, decision, findings));
      if (skipped.decision) return new Accepted(heldBack(fileId, skipped.decision, language));
      const { cancelled } = skipped;
      const message = messageOf("SKIPPED_WITH_REST", language, { count: cancelled });
      return { success, message, fileId, syncQueueId: jobId, affected: cancelled + 1 };
    },

    simulate: async ({ principal, params: { fileId } }) => {
      const state = await heldFileState(vault, await failed(principal, fileId));
      const { databasePath, nasPath, occupied } = state;
      const there = occupied ? { occupied } : {};
      return { fileId, databasePath: databasePath ?? "", nasPath, ...there, choices: simulate(state) };
    },

    held: ({ principal, query, language }) => heldFiles(andon, principal, query, language),
  };
}

function heldBack(fileId: string, held: HeldDecision, language: Language) {
  const message = heldBackMessage(held, language);
  return { success, message, fileId, syncQueueId: held.jobId, affected: 0, ...withDecision(held) };
}

/** If somebody else decided since the file was read, it is no longer held. */
async function orNotHeld<T>(deciding: Promise<T>): Promise<T> {
  try {
    return await deciding;
  } catch (error) {
    throw isAndonError(error, "JOB_STATE") ? new VaultError("FILE_NOT_HELD", {}, { cause: error }) : error;
  }
}

/** The file was found as the caller's own, so the decision itself needs no tenant. */
function decisionOf({ actor }: Principal, reason: string | undefined): Decision {
  return { actor, ...(reason === undefined ? {} : { reason }) };
}
