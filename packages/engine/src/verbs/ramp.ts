import type { StopCertificate } from "@andon/contract";
import { errorOf, type Failure } from "../lifecycle/failure.ts";
import { leftIn, nextStep, openIn } from "../lifecycle/ramp.ts";
import type {
  Claim,
  FinishAndClaimRequest,
  FinishAndClaimResult,
  JobRow,
  QueueRow,
  RampRow,
  Store,
  StoreTx,
} from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { SYSTEM } from "../system-actor.ts";
import { stopQueue } from "./stop.ts";

const RAMP_FAILED = "RAMP_FAILED";

/** A ramping queue under its exclusive lock, with the jobs of its wave that are still stored. */
interface Ramping {
  readonly row: QueueRow;
  readonly ramp: RampRow;
  readonly jobs: readonly JobRow[];
}

/**
 * Claims jobs of a queue that is resumed in waves. Jobs of the wave that are back in line (their worker died, or their
 * next stage waits) are claimed first and are no new starts; then as many others as the wave has left, by all rules of
 * the queue. The queue's exclusive lock makes this exact over the fleet: no other process sees the queue without its
 * ramp meanwhile.
 */
export async function claimWave(
  store: Store,
  queue: QueueDefinition,
  request: FinishAndClaimRequest,
): Promise<Pick<FinishAndClaimResult, "claims" | "lookAgainAt"> & { isRamping: boolean }> {
  return store.transaction("claim-wave", async (tx) => {
    const ramping = await settle(tx, queue);
    if (!ramping) return { claims: [], lookAgainAt: null, isRamping: false };
    const { row, ramp, jobs } = ramping;
    const { claims, isWhole } = await claimAgain(tx, row, openIn(jobs), request);
    const want = Math.min(request.want - claims.length, leftIn(ramp));
    if (!isWhole || want <= 0) return { claims, lookAgainAt: null, isRamping: true };
    await tx.saveQueue(row.name, { ramp: null });
    const fresh = await tx.claimInLine({ ...request, done: [], want });
    const started = fresh.claims.map((claim) => ({ ...claim, inWave: true }));
    await tx.saveQueue(row.name, {
      ramp: { ...ramp, jobs: [...ramp.jobs, ...started.map(({ pos }) => pos)] },
    });
    return { claims: [...claims, ...started], lookAgainAt: fresh.lookAgainAt, isRamping: true };
  });
}

/** Starts the next wave or ends the ramp, if the worker that should have done it has died. */
export async function settleRamp(store: Store, queue: QueueDefinition): Promise<void> {
  if (!(await store.read.queue(queue.name))?.ramp) return;
  await store.transaction("settle-ramp", (tx) => settle(tx, queue));
}

/** Advances the ramp as far as the jobs of the wave allow; undefined if the queue does not ramp any more. */
async function settle(tx: StoreTx, queue: QueueDefinition): Promise<Ramping | undefined> {
  const row = await tx.lockQueue(queue.name, "exclusive");
  const { ramp } = row;
  if (row.state !== "open" || !ramp) return undefined;
  const jobs = await tx.jobs(ramp.jobs);
  const { ready, blocked } = await tx.counts(queue.name);
  const step = nextStep(ramp, jobs, ready + blocked === 0);
  if (step === "wait") return { row, ramp, jobs };
  if (step === "stop") {
    const failed = jobs.find(({ state }) => state === "failed") as JobRow;
    await stopRamp(tx, queue, row, failed, failed.error);
    return undefined;
  }
  await tx.signalOnCommit({ kind: "work", queue: queue.name });
  if (step === "open") {
    await tx.saveQueue(queue.name, { ramp: null });
    tx.event("queue.ramped", queue.name, null, { wave: null, of: ramp.waves.length });
    return undefined;
  }
  const next = { ...ramp, wave: ramp.wave + 1, jobs: [] };
  await tx.saveQueue(queue.name, { ramp: next });
  tx.event("queue.ramped", queue.name, null, { wave: next.wave, of: next.waves.length });
  return { row, ramp: next, jobs: [] };
}

/** Whether this job belongs to the present wave. */
export function isInWave({ state, ramp }: QueueRow, pos: number): boolean {
  return state === "open" && ramp !== null && ramp.jobs.includes(pos);
}

/**
 * Stops the queue again after the first failed attempt of a wave. The caller has put the job back to its place,
 * uncharged.
 */
export async function stopAfterFailure(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  job: JobRow,
  failure: Failure,
): Promise<void> {
  await stopRamp(tx, queue, row, job, errorOf(failure));
}

async function stopRamp(
  tx: StoreTx,
  queue: QueueDefinition,
  row: QueueRow,
  job: JobRow,
  error: JobRow["error"],
): Promise<void> {
  const told: StopCertificate["error"] = error && {
    code: error.code,
    message: error.message,
    ...(error.texts ? { texts: error.texts } : {}),
  };
  const cause = { kind: "failure" as const, actor: SYSTEM, reason: RAMP_FAILED, job, error: told };
  await stopQueue(tx, queue, row, cause, tx.now());
}

/** Claims ready jobs that the wave has started before, as far as the limits allow. `isWhole`: none of them is left. */
async function claimAgain(
  tx: StoreTx,
  row: QueueRow,
  members: readonly JobRow[],
  request: FinishAndClaimRequest,
): Promise<{ claims: Claim[]; isWhole: boolean }> {
  const waiting = members
    .filter(({ state }) => state === "ready")
    .sort((a, b) => b.priority - a.priority || a.pos - b.pos);
  const claims: Claim[] = [];
  if (waiting.length === 0) return { claims, isWhole: true };
  const running = await tx.jobs((await tx.runningOf({ queue: row.name })).map(({ pos }) => pos));
  for (const job of waiting) {
    if (claims.length === request.want || !isAllowed(job, running, request)) continue;
    tx.tally(row.name, { ready: -1, running: 1 });
    const claim = await tx.claimReady(job, request.worker, row.epoch);
    claims.push({ ...claim, isProbe: false, inWave: true });
    running.push(job);
  }
  return { claims, isWhole: claims.length === waiting.length };
}

/** Whether the limits of the queue, of the job's stage and of its tenant allow another start. */
function isAllowed(
  { stage, tenant }: JobRow,
  running: readonly JobRow[],
  { limit, stageLimits, sharing }: FinishAndClaimRequest,
): boolean {
  if (limit !== null && running.length >= limit) return false;
  const inStage = running.filter((job) => job.stage === stage).length;
  if (stageLimits && stage !== null && inStage >= (stageLimits[stage] ?? 1)) return false;
  const ofTenant = running.filter((job) => job.tenant === tenant).length;
  return !sharing || sharing.most === null || ofTenant < sharing.most;
}
