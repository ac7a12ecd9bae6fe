import { AndonError } from "@andon/contract";
import { failPoint } from "../fail-points.ts";
import { definitionIn, rulesOf } from "../lifecycle/stages.ts";
import type { Claim, Completion, FinishAndClaimResult, RunningRow } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import type { FinishedStage } from "../verbs/cancel.ts";
import { giveBack } from "../verbs/give-back.ts";
import { giveStages } from "../verbs/give-stages.ts";
import { postpone } from "../verbs/postpone.ts";
import { claimProbe } from "../verbs/probe.ts";
import { claimWave } from "../verbs/ramp.ts";
import { Commits } from "./commits.ts";
import { Execution, type ExecutionPorts, type Outcome } from "./execution.ts";
import { finishAndClaimRequest } from "./finish-and-claim-request.ts";
import { type Batch, FinishedJobs } from "./finished-jobs.ts";
import type { AbortCause } from "./handler.ts";
import { LateCompletions } from "./late-completions.ts";
import type { LoopOptions } from "./loop-options.ts";
import { type PersistPorts, persist } from "./persist.ts";
import { startWithinRate } from "./rate-limit.ts";
import { failRefused, type Settled, type SettlePorts, settle, stopBecauseRefused } from "./settle.ts";
import { sleep } from "./sleep.ts";
import { Suspects } from "./suspects.ts";
import { TimersAfterTurn } from "./timers-after-turn.ts";

/**
 * From this many places on, requests have half the size and use two connections, so that one claims while the other
 * writes.
 */
const SPLIT_FROM_PLACES = 100;
/** How long a drained worker tries to write its last outcomes while the store is unavailable. */
const LAST_WRITES_MS = 5_000;
const RECOVERY_WAIT_MS = 100;
const LONGEST_RECOVERY_WAIT_MS = 2_000;

/**
 * The loop of one queue in one worker process, in one file since its modes share all of its state:
 *
 * - claiming: requests are sent while places are free and there may be work (`hungry`). A request carries the
 *   completions since the last one, so that writes are gathered under load, and an idle queue writes at once.
 * - waiting: the last claim returned fewer jobs than it asked for; a signal, or a look of the host, makes the loop
 *   hungry again.
 * - recovering: a request failed and may have committed. No loop of this queue sends a new request until the store has
 *   answered which completions are stored and which claims no loop here knows; those claims are given back.
 * - draining: `drain` was called; nothing is claimed, outcomes are still written. If none is left to write, an
 *   unavailable store is not awaited: the sweep of another process takes back a claim that was stored without an
 *   answer.
 */
export class Loop {
  readonly #options: LoopOptions;
  readonly #executions = new Map<number, Execution>();
  readonly #mostRequests: number;
  readonly #persistPorts: PersistPorts;
  readonly #settlePorts: SettlePorts;
  readonly #executionPorts: ExecutionPorts;
  readonly #finished = new FinishedJobs();
  readonly #late: LateCompletions;
  readonly #suspects: Suspects;
  /**
   * The executions that occupy a place, from the start of the handler until the outcome is written or gathered: one per
   * job.
   */
  readonly #atWork = new Map<number, Execution>();
  readonly #unknownStages = new Set<string>();
  #claiming = 0;
  #requests = 0;
  #hungry = true;
  #wakes = 0;
  #probing = false;
  #isRamping = false;
  /** Whether the queue was stopped at the last claim. */
  #isStopped = false;
  /** The last claim found fewer jobs than it had places for: the line is short, or other processes share it. */
  #foundFew = false;
  #pumping = false;
  #recovering = false;
  #draining = false;
  #closed = false;
  #drained: Promise<void> | undefined;
  #idle: (() => void)[] = [];
  #cancelWake: () => void = () => {};

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#persistPorts = { store: options.store, onError: options.onError, isClosed: () => this.#closed };
    const { clock } = options.store;
    this.#late = new LateCompletions({ clock, write: (completion) => this.#writeLate(completion) });
    this.#settlePorts = { ...options, commits: new Commits(options.store, options.queue.rules.shareCommits) };
    const { places, queue, store, checkpoint, progress, work } = options;
    this.#suspects = new Suspects({
      clock: store.clock,
      rules: queue.rules,
      places,
      work,
      isAtWork: (pos) => this.#atWork.has(pos),
      isDraining: () => this.#draining,
      run: (execution) => this.#run(execution),
      putOff: (execution, ms) => this.#putOff(execution, ms),
      goOn: () => {
        for (const loop of options.others) loop.wake();
      },
    });
    this.#executionPorts = {
      clock: store.clock,
      store,
      checkpoint,
      progress: (claim) => progress.tell(claim),
      timers: new TimersAfterTurn(),
    };
    const { concurrency, limiter, fair } = queue.rules;
    const isLimited = concurrency !== undefined || limiter !== undefined || fair;
    const split = !isLimited && places >= SPLIT_FROM_PLACES && store.parallelRequests > 1;
    this.#mostRequests = split ? store.parallelRequests : 1;
  }

  get queue(): QueueDefinition {
    return this.#options.queue;
  }

  get places(): number {
    return this.#options.places;
  }

  /** Whether the store may have claims of this loop, or outcomes are still to be written. */
  get isAtWork(): boolean {
    return !this.#isIdle() || this.#recovering;
  }

  /** Makes the loop claim: there may be work. */
  wake(): void {
    this.#growHungry();
    this.#pump();
  }

  /** Jobs that are added to a stopped queue do not wake the loop: each would cost a claim in every process. */
  onWorkSignal(opened: boolean): void {
    if (opened || !this.#isStopped) this.wake();
  }

  #growHungry(): void {
    this.#wakes++;
    this.#hungry = true;
  }

  /** Whether this claim is at work here, or its outcome is still to be written. */
  holds(pos: number, fence: number): boolean {
    return this.#executions.get(pos)?.claim.fence === fence;
  }

  abort(pos: number, fence: number, cause: AbortCause): void {
    const execution = this.#executions.get(pos);
    if (execution?.claim.fence === fence) this.#abort(execution, cause);
  }

  abortAll(cause: AbortCause): void {
    for (const execution of this.#executions.values()) this.#abort(execution, cause);
  }

  #abort(execution: Execution, cause: AbortCause): void {
    execution.abort(cause);
    this.#suspects.release(execution);
  }

  /**
   * Stops claiming, waits for running jobs up to the grace, then aborts the rest; every outcome is written. The wait
   * for an unavailable store is limited: the sweep of another process takes back jobs whose outcomes are not written by
   * then.
   */
  drain(): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    for (const execution of this.#executions.values()) this.#suspects.release(execution);
    const { store, grace, queue, onDrained } = this.#options;
    const stopGrace = store.clock.after(grace, () => this.abortAll("shutdown"));
    const stopWaiting = store.clock.after(grace + queue.rules.settleGrace + LAST_WRITES_MS, () =>
      this.#giveUp(),
    );
    this.#pump();
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#idle.push(resolve));
    stopGrace();
    stopWaiting();
    this.#cancelWake();
    this.#closed = true;
    await onDrained?.();
  }

  #giveUp(): void {
    this.#closed = true;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #isIdle(): boolean {
    const isAsking = this.#requests > 0 || this.#probing || !this.#late.isEmpty;
    return this.#executions.size === 0 && this.#finished.size === 0 && !isAsking;
  }

  /** Loops of this process that work this queue, this one among them: to the store they are one worker. */
  #ofThisQueue(): Loop[] {
    return [...this.#options.others].filter((loop) => loop.queue.name === this.queue.name);
  }

  #isHeldUp(): boolean {
    for (const loop of this.#options.others)
      if (loop.#recovering && loop.queue.name === this.queue.name) return true;
    return false;
  }

  #pump(): void {
    if (this.#closed) return;
    const isHeldUp = this.#isHeldUp();
    if (!isHeldUp) this.#options.work.startAdmitted();
    const worker = this.#options.workerId();
    while (worker !== undefined && !isHeldUp && this.#requests < this.#requestsAtOnce) {
      const batch = this.#finished.take(this.#mostPerRequest);
      const want = batch.isPart ? 0 : this.#wanted(batch.done);
      if (batch.done.length === 0 && want === 0) break;
      void this.#finishAndClaim(worker, batch, want);
    }
    if (this.#draining && this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /**
   * One request for the jobs that finish together. While others run, it waits for a turn of the event loop: otherwise
   * each timer would cause a commit.
   */
  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    const later = this.#atWork.size > 0 ? setImmediate : queueMicrotask;
    later(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  /** One while the line is short: a fleet that shares a line does more with few large requests than with many small ones. */
  get #requestsAtOnce(): number {
    return this.#foundFew ? 1 : this.#mostRequests;
  }

  get #mostPerRequest(): number {
    return Math.ceil(this.#options.places / this.#requestsAtOnce);
  }

  #wanted(done: readonly Completion[]): number {
    if (this.#draining || this.#options.work.isReserved || !this.#options.mayClaim()) return 0;
    const endsSome = this.#isRamping && done.length > 0;
    if (!this.#hungry && !endsSome && !done.some((completion) => this.#makesRoom(completion))) return 0;
    const free = this.#options.places - this.#atWork.size - this.#claiming;
    return Math.max(0, Math.min(free, this.#mostPerRequest));
  }

  /** Finishing a job may make the next of its lane ready, or free a place of a limit: such a request looks for work too. */
  #makesRoom(completion: Completion): boolean {
    const { concurrency, tenantConcurrency, stages } = this.#options.queue.rules;
    if (stages || completion.advance) return true;
    return completion.lanes.length > 0 || concurrency !== undefined || tenantConcurrency !== undefined;
  }

  async #finishAndClaim(worker: string, batch: Batch, want: number): Promise<void> {
    const { store, queue, work } = this.#options;
    const { done } = batch;
    const wakes = this.#wakes;
    this.#requests++;
    this.#claiming += want;
    work.busy += want;
    if (want > 0) this.#options.onClaim();
    const verb = done.length === 0 ? "claim" : want === 0 ? "finish" : "finish-and-claim";
    failPoint(verb, "begin");
    const sentAt = store.clock.monotonic();
    try {
      const result = await store.finishAndClaim(finishAndClaimRequest(queue, worker, done, want));
      failPoint(verb, "after-commit");
      this.#claiming -= want;
      work.busy -= want;
      if (result.claims.length < want && wakes === this.#wakes) this.#hungry = false;
      this.#settleCompletions(done, result);
      // A stage that ended leaves two jobs to be claimed: its own job in the next stage, and the next job of the stage.
      if (result.claims.length === want && done.some(({ advance }) => advance))
        store.signal({ kind: "work", queue: queue.name });
      if (queue.rules.limiter) await this.#startWithinRate(worker, result.claims, sentAt);
      else for (const claim of result.claims) this.#executeAs(worker, claim);
      this.#suspects.admitSuspects();
      if (want > 0 && result.queueState === "degraded") void this.#claimApart((as) => this.#probe(as));
      if (want > 0) {
        this.#foundFew = result.claims.length < want;
        this.#isRamping = result.queueState === "ramping";
        this.#isStopped = result.queueState === "stopped";
      }
      if (want > 0 && this.#isRamping) void this.#claimApart((as) => this.#claimWave(as));
      if (result.lookAgainAt !== null) this.#wakeAt(result.lookAgainAt);
      if (result.doubt) {
        this.#options.onError(result.doubt);
        void this.#recover();
      }
    } catch (error) {
      this.#claiming -= want;
      work.busy -= want;
      this.#options.onError(error);
      this.#requestFailed(batch, error);
    } finally {
      this.#requests--;
    }
    const isSerial = queue.rules.mode === "serial";
    if (isSerial || this.#finished.size > 0 || this.#hungry || this.#draining || work.isReserved)
      this.#pump();
  }

  /**
   * If the store refuses a request, nothing of it was stored: its completions are sent again in parts. After any other
   * error the result is unknown.
   */
  #requestFailed({ done, isPart }: Batch, error: unknown): void {
    const { store } = this.#options;
    const held = done.filter(({ pos, fence }) => this.holds(pos, fence));
    const isRefused = store.refuses(error) || (held.length > 1 && store.hasNoRoom(error));
    if (isRefused && held.length > 0) {
      const atFault = this.#finished.refused({ done: held, isPart });
      if (atFault) this.#failRefused(atFault, error);
      return;
    }
    this.#finished.putBack(held);
    void this.#recover();
  }

  #failRefused({ pos }: Completion, error: unknown): void {
    const claim = this.#executions.get(pos)?.claim;
    if (claim) void this.#write(claim, () => failRefused(this.#settlePorts, claim, error));
  }

  #settleCompletions(
    done: readonly Completion[],
    result: Pick<FinishAndClaimResult, "refused" | "deferred">,
  ): void {
    const [refused, deferred] = [new Set(result.refused), new Set(result.deferred)];
    for (const completion of done) {
      const { pos, fence } = completion;
      if (refused.has(pos)) this.#handBack(completion, finishedStage(completion, this.#executions.get(pos)));
      else if (!deferred.has(pos)) this.#forget({ pos, fence });
    }
    if (deferred.size > 0) this.#late.defer(done.filter(({ pos }) => deferred.has(pos)));
  }

  /** Writes a completion whose lane was locked; false if it is still locked. */
  async #writeLate(completion: Completion): Promise<boolean> {
    const worker = this.#options.workerId();
    if (this.#closed || !this.holds(completion.pos, completion.fence)) return true;
    if (worker === undefined || this.#isHeldUp()) return false;
    const { store, queue } = this.#options;
    try {
      const outcome = await store.finishLate(queue.name, worker, completion);
      if (outcome === "deferred") return false;
      if (outcome === "refused")
        this.#handBack(completion, finishedStage(completion, this.#executions.get(completion.pos)));
      else this.#forget(completion);
    } catch (error) {
      this.#options.onError(error);
      this.#requestFailed({ done: [completion], isPart: true }, error);
    }
    // The next job of its lane may be ready.
    this.#growHungry();
    this.#pumpSoon();
    return true;
  }

  #handBack({ pos, fence }: Pick<Claim, "pos" | "fence">, finished?: FinishedStage): void {
    const { store, queue } = this.#options;
    const claim = { pos, fence };
    void this.#write(claim, () => giveBack(store, queue, claim, "handed-back", finished));
  }

  /**
   * Starts a claim, or hands it back if the worker's id has changed since the request: no beat protects such a claim.
   */
  #executeAs(worker: string, claim: Claim): void {
    if (this.#options.workerId() === worker) this.#execute(claim);
    else this.#handBack(claim);
  }

  #startWithinRate(worker: string, claims: readonly Claim[], sentAt: number): Promise<void> | undefined {
    const { store, queue } = this.#options;
    const { limiter } = queue.rules;
    if (!limiter || claims.length === 0) return undefined;
    const start = (claim: Claim) => this.#executeAs(worker, claim);
    const handBack = (claim: Claim) => this.#handBack(claim);
    return startWithinRate({ store, queue: queue.name, worker, limiter, start, handBack }, claims, sentAt);
  }

  #execute(claim: Claim): void {
    const { stage, stages } = claim.job;
    const execution = new Execution(claim, definitionIn(this.queue, stage), this.#executionPorts);
    this.#supersede(claim.pos);
    if (stage === null && this.queue.rules.stages) {
      this.#giveStages(claim, execution);
      return;
    }
    if (stages.length > 0) this.#warnOfUnknown(stages);
    this.#executions.set(claim.pos, execution);
    if (this.#suspects.isSuspect(claim)) this.#suspects.arrive(execution);
    else if (!this.#atWork.has(claim.pos)) this.#run(execution);
  }

  /**
   * The job was claimed here before, and taken back while this process was silent: nothing of the older claim can be
   * stored any more. Its handler is aborted if it still runs, and the new claim waits for its place.
   */
  #supersede(pos: number): void {
    const older = this.#executions.get(pos);
    if (!older) return;
    const atWork = this.#atWork.get(pos);
    atWork?.abort("lost");
    this.#finished.drop((completion) => completion.pos === pos);
    if (older !== atWork) this.#suspects.forget(older);
  }

  #giveStages(claim: Claim, execution: Execution): void {
    const { store, queue } = this.#options;
    this.#executions.set(claim.pos, execution);
    void this.#write(claim, () => giveStages(store, queue, claim)).then(() => this.wake());
  }

  /**
   * A job keeps the stages that it was added with, even if the rules have changed: each unknown stage is reported once.
   */
  #warnOfUnknown(stages: readonly string[]): void {
    for (const stage of stages) {
      if (this.#unknownStages.has(stage) || rulesOf(this.queue.rules, stage)) continue;
      this.#unknownStages.add(stage);
      this.#options.onError(new AndonError("STAGE_UNKNOWN", { queue: this.queue.name, stage }));
    }
  }

  #putOff({ claim }: Execution, ms: number): Promise<void> {
    const { store, queue } = this.#options;
    return this.#write(claim, () => postpone(store, queue, claim, ms));
  }

  #run(execution: Execution): void {
    const { claim } = execution;
    this.#atWork.set(claim.pos, execution);
    this.#options.work.busy++;
    if (this.#suspects.isSuspect(claim)) this.#options.work.suspects.add(execution);
    const { times, store } = this.#options;
    const since = store.clock.monotonic();
    times.started(claim);
    execution.run(this.#options.handler, (outcome) => {
      if (hasRun(outcome)) times.ended(claim, store.clock.monotonic() - since);
      this.#options.progress.ended(claim);
      if (!this.holds(claim.pos, claim.fence)) {
        this.#leavePlace(claim);
        this.wake();
        return;
      }
      const settled = settle(this.#settlePorts, claim, outcome);
      if (settled.kind === "gathered") {
        this.#leavePlace(claim);
        if (!this.#late.takes(settled.completion)) this.#finished.push(settled.completion);
        this.#pumpSoon();
      } else void this.#writeSlow(claim, settled);
    });
  }

  /** Frees the place, or gives it to the newer claim of the same job that waited for it. */
  #leavePlace({ pos, fence }: Claim): void {
    const execution = this.#atWork.get(pos);
    this.#atWork.delete(pos);
    this.#options.work.busy--;
    const newer = this.#executions.get(pos);
    // A suspect waits for no place: it was given back.
    if (newer && newer.claim.fence !== fence && !this.#suspects.isSuspect(newer.claim)) this.#run(newer);
    if (execution && this.#suspects.isSuspect(execution.claim)) this.#suspects.left(execution);
  }

  #forget({ pos, fence }: Pick<Claim, "pos" | "fence">): void {
    if (this.holds(pos, fence)) this.#executions.delete(pos);
  }

  /** A job whose outcome needs a transaction of its own keeps its place until the outcome is written. */
  async #writeSlow(claim: Claim, settled: Extract<Settled, { kind: "write" }>): Promise<void> {
    await this.#write(claim, settled.write);
    this.#leavePlace(claim);
    this.#growHungry();
    this.#pumpSoon();
  }

  async #write(claim: Pick<Claim, "pos" | "fence">, write: () => Promise<unknown>): Promise<void> {
    await persist(this.#persistPorts, write)
      .catch((error) =>
        persist(this.#persistPorts, () => stopBecauseRefused(this.#settlePorts, claim, error)),
      )
      .catch(this.#options.onError);
    this.#forget(claim);
    this.#pumpSoon();
  }

  /** Wakes the loop when the rate allows the next start. */
  #wakeAt(at: number): void {
    const { clock } = this.#options.store;
    this.#cancelWake();
    this.#cancelWake = clock.after(Math.max(1, at - clock.now()), () => this.wake());
  }

  async #probe(worker: string): Promise<void> {
    const { store, queue } = this.#options;
    const claim = await claimProbe(store, queue.name, worker);
    if (claim) this.#executeAs(worker, claim);
  }

  async #claimWave(worker: string): Promise<void> {
    const { store, queue, places } = this.#options;
    const free = places - this.#atWork.size - this.#claiming;
    const sentAt = store.clock.monotonic();
    const wave = await claimWave(store, queue, finishAndClaimRequest(queue, worker, [], free));
    this.#isRamping = wave.isRamping;
    if (queue.rules.limiter) await this.#startWithinRate(worker, wave.claims, sentAt);
    else for (const claim of wave.claims) this.#executeAs(worker, claim);
    if (wave.lookAgainAt !== null) this.#wakeAt(wave.lookAgainAt);
  }

  /** Claims in a transaction of its own, one at a time: the probe of a degraded queue, or a wave of one that ramps. */
  async #claimApart(claim: (worker: string) => Promise<void>): Promise<void> {
    const { workerId, mayClaim, places, work } = this.#options;
    const worker = workerId();
    if (
      worker === undefined ||
      work.isReserved ||
      !mayClaim() ||
      this.#probing ||
      this.#isHeldUp() ||
      this.#draining ||
      this.#atWork.size >= places
    )
      return;
    this.#probing = true;
    work.busy++;
    this.#options.onClaim();
    try {
      await claim(worker);
    } catch (error) {
      this.#options.onError(error);
      void this.#recover();
    } finally {
      this.#probing = false;
      work.busy--;
    }
    this.#suspects.admitSuspects();
    // A drain waits for this too, and so does a suspect that has to run alone.
    if (this.#draining || work.isReserved || this.#finished.size > 0 || this.#hungry) this.#pump();
  }

  async #recover(): Promise<void> {
    if (this.#recovering) return;
    this.#recovering = true;
    const { store } = this.#options;
    for (let wait = RECOVERY_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_RECOVERY_WAIT_MS)) {
      await sleep(store.clock, wait);
      if (this.#closed) return;
      if (this.#ofThisQueue().some((loop) => loop.#requests > 0 || loop.#late.writing > 0 || loop.#probing))
        continue;
      try {
        await this.#reconcile();
        break;
      } catch (error) {
        if (this.#closed) return;
        this.#options.onError(error);
      }
    }
    this.#recovering = false;
    for (const loop of this.#ofThisQueue()) loop.wake();
  }

  async #reconcile(): Promise<void> {
    const { store, queue, workerId } = this.#options;
    const worker = workerId() ?? "";
    const uncertain = this.#finished.all;
    const stored = uncertain.length > 0 ? await store.confirmDone(worker, uncertain) : new Set<number>();
    const claimed = await store.read.runningOf({ worker });
    const loops = this.#ofThisQueue();
    const isHeld = (row: RunningRow) => loops.some((loop) => loop.holds(row.pos, row.fence));
    const unknown = claimed.filter((row) => row.queue === queue.name && !isHeld(row));
    for (const row of unknown)
      await persist(this.#persistPorts, () => giveBack(store, queue, row, "handed-back"));
    for (const completion of uncertain) if (stored.has(completion.pos)) this.#forget(completion);
    this.#finished.drop((completion) => stored.has(completion.pos));
  }
}

/** The result of a refused completion of a stage: if the job is to be cancelled, that stage is rolled back too. */
function finishedStage({ result }: Completion, execution: Execution | undefined): FinishedStage | undefined {
  return execution && execution.claim.job.stage !== null ? { result } : undefined;
}

/**
 * Whether the duration counts as a measured time: only handlers that ended, with or without success, show how long jobs
 * take.
 */
function hasRun(outcome: Outcome): boolean {
  return (
    outcome.kind === "done" ||
    outcome.kind === "threw" ||
    (outcome.kind === "aborted" && outcome.cause === "timeout")
  );
}
