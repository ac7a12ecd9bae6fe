import { isAndonError } from "@andon/contract";
import { failureOf, namedFailure } from "../lifecycle/failure.ts";
import type { Random } from "../ports/random.ts";
import type { Claim, Completion, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { completionOf, type SlowCompletion } from "../verbs/complete.ts";
import { fail } from "../verbs/fail.ts";
import { giveBack } from "../verbs/give-back.ts";
import { snooze } from "../verbs/snooze.ts";
import type { Commits } from "./commits.ts";
import type { Outcome } from "./execution.ts";

/** What becomes of an outcome: a plain completion is gathered with others, everything else is a write of its own. */
export type Settled =
  | { kind: "gathered"; completion: Completion }
  | { kind: "write"; write: () => Promise<unknown> };

export interface SettlePorts {
  readonly store: Store;
  readonly queue: QueueDefinition;
  readonly workerId: () => string;
  readonly random: Random;
  readonly commits: Commits;
}

export function settle(ports: SettlePorts, claim: Claim, outcome: Outcome): Settled {
  const { store, queue, random } = ports;
  if (outcome.kind === "done") return settleDone(ports, claim, outcome);
  if (outcome.kind === "snoozed")
    return { kind: "write", write: () => snooze(store, queue, claim, outcome.ms) };
  if (outcome.kind === "threw") {
    const failure = failureOf(outcome.error, queue.rules);
    return { kind: "write", write: () => fail(store, queue, claim, failure, random) };
  }
  if (outcome.cause === "timeout") {
    const failure = namedFailure("TIMEOUT", `no end after ${queue.rules.timeout} ms`, true, queue.rules);
    return { kind: "write", write: () => fail(store, queue, claim, failure, random) };
  }
  // A job that an operator wished to cancel is cancelled there instead of given back.
  return { kind: "write", write: () => giveBack(store, queue, claim, "handed-back") };
}

function settleDone(ports: SettlePorts, claim: Claim, outcome: Extract<Outcome, { kind: "done" }>): Settled {
  const { store, queue, random } = ports;
  const serialised = serialise(outcome.result);
  if ("error" in serialised) {
    const failure = failureOf(serialised.error, queue.rules);
    return { kind: "write", write: () => fail(store, queue, claim, failure, random) };
  }
  const completion = completionOf(claim, serialised.text);
  if (!outcome.writes && !claim.isProbe) return { kind: "gathered", completion };
  const slow = {
    ...completion,
    queue: queue.name,
    worker: ports.workerId(),
    jobId: claim.job.id,
    isProbe: claim.isProbe,
    writes: outcome.writes,
  };
  return { kind: "write", write: () => completeOrFail(ports, claim, slow) };
}

/** A handler whose own writes are refused by its database has failed; a lost claim or an absent store is not its fault. */
async function completeOrFail(ports: SettlePorts, claim: Claim, slow: SlowCompletion): Promise<void> {
  const { store, queue, random } = ports;
  let writesError: unknown;
  const writes = slow.writes;
  const watched =
    writes &&
    (async (tx: Parameters<typeof writes>[0]) => {
      try {
        await writes(tx);
      } catch (error) {
        writesError = error;
        throw error;
      }
    });
  try {
    await ports.commits.complete({ ...slow, writes: watched });
  } catch (error) {
    if (isAndonError(error, "CLAIM_LOST")) return giveBack(store, queue, claim, "handed-back");
    const isOwn = error === writesError || isAndonError(error, "TRANSACTION_TIMEOUT");
    if (!isOwn || store.isUnavailable(error)) throw error;
    await fail(store, queue, claim, failureOf(error, queue.rules), random);
  }
}

/**
 * What became of a job could not be written, because a hook of the queue throws. The line stops there, without the
 * hooks, so that a person sees it: the job stands failed with the hook's own error.
 */
export async function stopBecauseRefused(
  ports: Pick<SettlePorts, "store" | "queue" | "random">,
  { pos, fence }: Pick<Claim, "pos" | "fence">,
  error: unknown,
): Promise<void> {
  const job = await ports.store.read.job({ pos });
  if (!job) return;
  const rules = {
    ...ports.queue.rules,
    onFinalFailure: "stop-queue" as const,
    stopReason: "HOOK_FAILED",
    probe: false,
  };
  const queue = { name: ports.queue.name, rules, hooks: {} };
  const message = error instanceof Error ? error.message : String(error);
  const claim = { pos, fence, job, stalled: job.stalled, isProbe: true };
  await fail(ports.store, queue, claim, namedFailure("HOOK_FAILED", message, false), ports.random);
}

function serialise(result: unknown): { text: string | null } | { error: unknown } {
  if (result === undefined || result === null) return { text: null };
  try {
    return { text: JSON.stringify(result) ?? null };
  } catch (error) {
    return { error };
  }
}
