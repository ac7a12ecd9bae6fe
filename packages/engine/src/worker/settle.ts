import { isAndonError, type Localized } from "@andon/contract";
import { resultText } from "../json-text.ts";
import { type Failure, failureOf, messageOf, namedFailure } from "../lifecycle/failure.ts";
import { ownFailure } from "../lifecycle/own-failures.ts";
import { presentable, safeRead } from "../lifecycle/safe-read.ts";
import { definitionIn } from "../lifecycle/stages.ts";
import type { Random } from "../ports/random.ts";
import type { Claim, Completion, Store, Tx } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { advance } from "../verbs/advance.ts";
import type { FinishedStage } from "../verbs/cancel.ts";
import { CALLER_LIMIT_MS, completionOf, type SlowCompletion } from "../verbs/complete.ts";
import { fail } from "../verbs/fail.ts";
import { giveBack } from "../verbs/give-back.ts";
import { park } from "../verbs/park.ts";
import { failRollBack, rolledBack } from "../verbs/roll-back.ts";
import { abortClaim } from "../verbs/settle-wish.ts";
import { snooze } from "../verbs/snooze.ts";
import type { Commits } from "./commits.ts";
import type { Outcome } from "./execution.ts";
import { Commit } from "./handler.ts";

/** How an outcome is written: a plain completion is gathered with others, every other outcome is a write of its own. */
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

/** Never throws: whatever a handler returned or threw, its job gets an outcome, and its place becomes free. */
export function settle(ports: SettlePorts, claim: Claim, outcome: Outcome): Settled {
  try {
    return settledAs(ports, claim, outcome);
  } catch (error) {
    return failed(ports, claim, namedFailure("Error", messageOf(error), true));
  }
}

function settledAs(given: SettlePorts, claim: Claim, outcome: Outcome): Settled {
  const ofStage = definitionIn(given.queue, claim.job.stage);
  const ports = ofStage === given.queue ? given : { ...given, queue: ofStage };
  const { store, queue } = ports;
  if (outcome.kind === "done") return settleDone(ports, claim, outcome);
  if (outcome.kind === "snoozed")
    return { kind: "write", write: () => snooze(store, queue, claim, outcome.ms) };
  if (outcome.kind === "stopped")
    return { kind: "write", write: () => abortClaim(store, queue, claim, outcome.flag) };
  if (outcome.kind === "parked") return settlePark(ports, claim, outcome);
  if (outcome.kind === "threw") return failed(ports, claim, failureOf(outcome.error, queue.rules));
  if (outcome.cause === "timeout") {
    return failed(ports, claim, namedFailure("TIMEOUT", lateText(queue), true, queue.rules));
  }
  // If there is a request to cancel or abort the job, `giveBack` carries it out instead.
  const finished = outcome.cause === "cancel" ? finishedStage(claim, outcome.returned) : undefined;
  return { kind: "write", write: () => giveBack(store, queue, claim, "handed-back", finished) };
}

/**
 * A stage that was completed although its job is to be cancelled has done its work: it is rolled back like those before
 * it.
 */
function finishedStage({ job }: Claim, returned: { value: unknown } | undefined): FinishedStage | undefined {
  if (!returned || job.stage === null || job.cancelling) return undefined;
  const value = returned.value instanceof Commit ? returned.value.result : returned.value;
  return { result: safeRead(() => resultText(value), null) };
}

/** A roll-back undoes work that exists, so it has no event to wait for and cannot park. */
function settlePark(
  ports: SettlePorts,
  claim: Claim,
  { event, options }: Extract<Outcome, { kind: "parked" }>,
): Settled {
  const { store, queue } = ports;
  if (claim.job.cancelling)
    return failed(ports, claim, namedFailure("PARK_REFUSED", ownFailure("PARK_REFUSED", {}), false));
  return { kind: "write", write: () => park(store, queue, claim, event, options) };
}

function lateText({ rules }: QueueDefinition): Localized {
  const name = rules.timeoutFrom === "progress" ? "NO_PROGRESS" : "NO_END";
  return ownFailure(name, { ms: rules.timeout });
}

function failed({ store, queue, random }: SettlePorts, claim: Claim, failure: Failure): Settled {
  if (claim.job.cancelling)
    return { kind: "write", write: () => failRollBack(store, queue, claim, failure, random) };
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
  if (claim.job.cancelling)
    return { kind: "write", write: () => settleRollBack(ports, claim, outcome.writes) };
  const completion = completionOf(claim, result);
  const isPlain = !outcome.writes && !claim.isProbe;
  if (completion.advance) {
    // A lane of the job may have been held meanwhile, so jobs with lanes advance in a transaction of their own.
    if (isPlain && claim.job.keys.length === 0) return { kind: "gathered", completion };
    const slowly = { write: (writes: Writes) => advance(ports.store, queue, claim, result, writes), result };
    return { kind: "write", write: () => writeOrFail(ports, claim, outcome.writes, slowly) };
  }
  if (isPlain) return { kind: "gathered", completion };
  const slow = {
    ...completion,
    queue: queue.name,
    worker: ports.workerId() ?? "",
    jobId: claim.job.id,
    isProbe: claim.isProbe,
    writes: outcome.writes,
  };
  const slowly = { write: (writes: Writes) => ports.commits.complete({ ...slow, writes }), result };
  return { kind: "write", write: () => writeOrFail(ports, claim, outcome.writes, slowly) };
}

type Writes = SlowCompletion["writes"];

/** The writes of a roll-back have a transaction of their own: after a crash behind it the roll-back is called again. */
async function settleRollBack({ store, queue }: SettlePorts, claim: Claim, writes: Writes): Promise<void> {
  if (writes) await store.transaction("roll-back-writes", async (tx) => writes(tx), CALLER_LIMIT_MS);
  await rolledBack(store, queue, claim);
}

/**
 * A handler whose own writes are refused by its database has failed; a lost claim or an unavailable store is not its
 * fault.
 */
async function writeOrFail(
  ports: SettlePorts,
  claim: Claim,
  writes: Writes,
  slowly: { write(writes: Writes): Promise<void>; result: string | null },
): Promise<void> {
  const { store, queue, random } = ports;
  let writesError: unknown;
  const watched =
    writes &&
    (async (tx: Tx) => {
      try {
        await writes(tx);
      } catch (error) {
        // The store inspects the error that ends its transaction, so the error must be readable.
        writesError = presentable(error);
        throw writesError;
      }
    });
  try {
    await slowly.write(watched);
  } catch (error) {
    if (isAndonError(error, "CLAIM_LOST"))
      return giveBack(store, queue, claim, "handed-back", finishedStage(claim, returned(slowly.result)));
    const isOwn = error === writesError || isAndonError(error, "TRANSACTION_TIMEOUT");
    if (!isOwn && store.refuses(error)) return failRefused(ports, claim, error);
    if (!isOwn || store.isUnavailable(error)) throw error;
    await fail(store, queue, claim, failureOf(error, queue.rules), random);
  }
}

const returned = (result: string | null) => ({ value: result === null ? null : JSON.parse(result) });

/**
 * Fails the attempt when the store refuses the completion itself, such as a result that a rule of the database does not
 * allow; a result that is too large fails in the same way. The last progress may be what is refused, so it is left out.
 */
export async function failRefused(
  { store, queue, random }: Pick<SettlePorts, "store" | "queue" | "random">,
  claim: Claim,
  error: unknown,
): Promise<void> {
  const message = ownFailure("RESULT_REFUSED", { message: messageOf(error) });
  const failure = namedFailure("RESULT_REFUSED", message, true);
  await fail(store, queue, { ...claim, progress: null }, failure, random);
}

/**
 * Stops the queue when the outcome of a job cannot be written because a hook of the queue throws. The job fails with
 * the error of the hook, without calling the hooks, so that a person sees it.
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
  const { stalled, stageStartedAt, stageElapsed, arrivals } = job;
  const claim = {
    pos,
    fence,
    job,
    stalled,
    isProbe: true,
    progress: null,
    stageStartedAt,
    stageElapsed,
    arrivals,
    stored: null,
  };
  await fail(ports.store, queue, claim, namedFailure("HOOK_FAILED", messageOf(error), false), ports.random);
}
