import { isAndonError } from "@andon/contract";
import { resultText } from "../json-text.ts";
import { type Failure, failureOf, messageOf, namedFailure } from "../lifecycle/failure.ts";
import { ownFailure } from "../lifecycle/own-failures.ts";
import { presentable } from "../lifecycle/readable.ts";
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
  readonly workerId: () => string | undefined;
  readonly random: Random;
  readonly commits: Commits;
}

/** Never throws: whatever a handler gave, something becomes of its job, and its place is free again. */
export function settle(ports: SettlePorts, claim: Claim, outcome: Outcome): Settled {
  try {
    return settledAs(ports, claim, outcome);
  } catch (error) {
    return failed(ports, claim, namedFailure("Error", messageOf(error), true));
  }
}

function settledAs(ports: SettlePorts, claim: Claim, outcome: Outcome): Settled {
  const { store, queue } = ports;
  if (outcome.kind === "done") return settleDone(ports, claim, outcome);
  if (outcome.kind === "snoozed")
    return { kind: "write", write: () => snooze(store, queue, claim, outcome.ms) };
  if (outcome.kind === "threw") return failed(ports, claim, failureOf(outcome.error, queue.rules));
  if (outcome.cause === "timeout") {
    return failed(ports, claim, namedFailure("TIMEOUT", lateText(queue), true, queue.rules));
  }
  // A job that an operator wished to cancel is cancelled there instead of given back.
  return { kind: "write", write: () => giveBack(store, queue, claim, "handed-back") };
}

function lateText({ rules, language }: QueueDefinition): string {
  const name = rules.timeoutFrom === "progress" ? "NO_PROGRESS" : "NO_END";
  return ownFailure(name, { ms: rules.timeout }, language);
}

function failed({ store, queue, random }: SettlePorts, claim: Claim, failure: Failure): Settled {
  return { kind: "write", write: () => fail(store, queue, claim, failure, random) };
}

function settleDone(ports: SettlePorts, claim: Claim, outcome: Extract<Outcome, { kind: "done" }>): Settled {
  const { queue } = ports;
  let result: string | null;
  try {
    result = resultText(outcome.result);
  } catch (error) {
    return failed(ports, claim, failureOf(error, queue.rules));
  }
  const completion = completionOf(claim, result);
  if (!outcome.writes && !claim.isProbe) return { kind: "gathered", completion };
  const slow = {
    ...completion,
    queue: queue.name,
    worker: ports.workerId() ?? "",
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
        // The store looks at what ends its transaction, so it must be something that can be looked at.
        writesError = presentable(error);
        throw writesError;
      }
    });
  try {
    await ports.commits.complete({ ...slow, writes: watched });
  } catch (error) {
    if (isAndonError(error, "CLAIM_LOST")) return giveBack(store, queue, claim, "handed-back");
    const isOwn = error === writesError || isAndonError(error, "TRANSACTION_TIMEOUT");
    if (!isOwn && store.refuses(error)) return failRefused(ports, claim, error);
    if (!isOwn || store.isUnavailable(error)) throw error;
    await fail(store, queue, claim, failureOf(error, queue.rules), random);
  }
}

/**
 * The store refuses the completion itself: a result that a rule of the database does not allow, say. It is an attempt
 * that failed, as with a result that is too large. What the handler told last may be what is refused, so it is left out.
 */
export async function failRefused(
  { store, queue, random }: Pick<SettlePorts, "store" | "queue" | "random">,
  claim: Claim,
  error: unknown,
): Promise<void> {
  const message = ownFailure("RESULT_REFUSED", { message: messageOf(error) }, queue.language);
  const failure = namedFailure("RESULT_REFUSED", message, true);
  await fail(store, queue, { ...claim, progress: null }, failure, random);
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
  const claim = { pos, fence, job, stalled: job.stalled, isProbe: true, progress: null };
  await fail(ports.store, queue, claim, namedFailure("HOOK_FAILED", messageOf(error), false), ports.random);
}
