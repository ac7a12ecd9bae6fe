import {
  type Arrival,
  type AttemptOutcome,
  type EventData,
  type EventType,
  JOB_STATES,
  type JobCounts,
  type JobState,
  type Lane,
  type Schedule,
  type Scope,
  type StopCertificate,
} from "@andon/contract";
import type {
  AuditHead,
  BulkBoundary,
  BulkPresets,
  CancelWish,
  ChunkFacts,
  Completion,
  DecisionRow,
  DueJob,
  DuePlace,
  EndedStage,
  FailureReading,
  FinishAndClaimRequest,
  FinishAndClaimResult,
  HistoryKind,
  JobPatch,
  JobReference,
  JobRow,
  LaneId,
  LaneRow,
  LineJob,
  ListItem,
  NewAttempt,
  NewAuditRow,
  NewJob,
  OperationRow,
  Placed,
  PlanRow,
  Purged,
  QueueRow,
  ReadingRows,
  RunningRow,
  SettledDecision,
  Signal,
  StoredAbortWish,
  StoreTx,
  TimerKind,
  WorkerRow,
} from "@andon/engine";
import { enqueueWith, type HotVerbs } from "./hot-verbs.ts";
import { counts as storedCounts } from "./readers/count-reader.ts";
import { failureReader } from "./readers/failure-reader.ts";
import { stop } from "./readers/feed-reader.ts";
import { lastEndedPlace } from "./readers/frozen-lists.ts";
import { laneRow } from "./readers/lane-reader.ts";
import { readingRows } from "./readers/reading-rows.ts";
import { admitHeads } from "./steps/admit-heads.ts";
import * as arrivalSteps from "./steps/arrival-steps.ts";
import * as auditSteps from "./steps/audit-steps.ts";
import * as bulkSteps from "./steps/bulk-steps.ts";
import * as decisionSteps from "./steps/decision-steps.ts";
import * as deleteSteps from "./steps/delete-steps.ts";
import * as historySteps from "./steps/history-steps.ts";
import * as jobSteps from "./steps/job-steps.ts";
import * as laneSteps from "./steps/lane-steps.ts";
import * as ledgerSteps from "./steps/ledger-steps.ts";
import * as lineSteps from "./steps/line-steps.ts";
import { addLostWorker } from "./steps/lost-worker-steps.ts";
import * as operationSteps from "./steps/operation-steps.ts";
import * as planSteps from "./steps/plan-steps.ts";
import * as purgeSteps from "./steps/purge-steps.ts";
import * as queueSteps from "./steps/queue-steps.ts";
import * as runningSteps from "./steps/running-steps.ts";
import * as scheduleSteps from "./steps/schedule-steps.ts";
import * as stageSteps from "./steps/stage-steps.ts";
import type { StepContext } from "./steps/statement-registry.ts";

type Changes = ledgerSteps.Tally & ledgerSteps.Happened;

/**
 * The steps of one transaction. Counts, audit rows and rows of the feed are collected and written by `flush`, just
 * before the commit: the lock of the audit chain and then that of the feed are taken last, so no transaction waits for
 * another lock while it holds them.
 *
 * This file is long because the port is: each member calls one step; the rules are in steps/.
 */
export class SqlStoreTx implements StoreTx {
  readonly #at: StepContext;
  readonly #hot: HotVerbs;
  readonly #queues = new Map<string, { row: QueueRow; mode: "share" | "exclusive" }>();
  readonly #tallies = new Map<string, Partial<Changes>>();
  readonly #audit: NewAuditRow[] = [];
  readonly #events: ledgerSteps.PendingEvent[] = [];

  /** Undefined if the caller opened the transaction with its own client, so that its commit is not known here. */
  readonly store: object | undefined;
  readonly signals: Signal[] = [];
  readonly failures: FailureReading;

  constructor(at: StepContext, hot: HotVerbs, store?: object) {
    this.#at = at;
    this.#hot = hot;
    this.store = store;
    this.failures = failureReader(at);
  }

  async flush(): Promise<void> {
    if (this.holdsQueueLock) await queueSteps.endLockTimeout(this.#at);
    for (const [queue, changes] of this.#tallies) await ledgerSteps.addTally(this.#at, queue, changes);
    await auditSteps.chainAudit(this.#at, this.#audit);
    await ledgerSteps.addEvents(this.#at, this.#events);
  }

  get hasEvents(): boolean {
    return this.#events.length > 0;
  }

  /** The transaction holds a queue's lock, and so waits for others only briefly. */
  get holdsQueueLock(): boolean {
    return this.#queues.size > 0;
  }

  ensureQueue(name: string): Promise<void> {
    return queueSteps.ensureQueue(this.#at, name);
  }

  async signalOnCommit(signal: Signal): Promise<void> {
    if (!this.store) await ledgerSteps.notify(this.#at, [signal]);
    else this.signals.push(signal);
  }

  get reading(): ReadingRows {
    return readingRows(this.#at);
  }

  now(): number {
    return this.#at.now;
  }

  query<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    return this.#at.session.raw(sql, params);
  }

  enqueue(queue: string, serial: boolean, jobs: readonly NewJob[]): Promise<Placed[]> {
    return enqueueWith(this.#at, this.#hot, queue, serial, jobs);
  }

  /** All users of this transaction share one row per queue, so that each sees the others' changes. */
  async lockQueue(name: string, mode: "share" | "exclusive"): Promise<QueueRow> {
    const locked = this.#queues.get(name);
    if (locked && (locked.mode === "exclusive" || mode === "share")) return locked.row;
    const row = await queueSteps.lockQueue(this.#at, name, mode);
    this.#queues.set(name, { row, mode });
    return row;
  }

  async saveQueue(name: string, patch: Partial<Omit<QueueRow, "name">>): Promise<void> {
    const locked = this.#queues.get(name);
    if (locked?.mode !== "exclusive") throw new Error(`queue ${name} is saved without its lock`);
    await queueSteps.saveQueue(this.#at, Object.assign(locked.row, patch));
  }

  ensureLanes(queue: string, lanes: readonly LaneId[]): Promise<void> {
    return laneSteps.ensureLanes(this.#at, queue, lanes);
  }

  async tryLanes(queue: string, lanes: readonly LaneId[]): Promise<Set<LaneId>> {
    if (lanes.length === 0) return new Set();
    return new Set(await this.#hot.tryLanes(this.#at.session, queue, lanes));
  }

  async lockLanes(queue: string, lanes: readonly LaneId[]): Promise<LaneRow[]> {
    return (await laneSteps.lockLanes(this.#at, queue, lanes)).map(laneRow);
  }

  async holdLanes(queue: string, lanes: readonly LaneId[], hold: NonNullable<Lane["held"]>): Promise<void> {
    this.tally(queue, { held: await laneSteps.holdLanes(this.#at, queue, lanes, hold) });
  }

  async releaseLanes(queue: string, lanes: readonly LaneId[]): Promise<void> {
    this.tally(queue, { held: -(await laneSteps.releaseLanes(this.#at, queue, lanes)) });
  }

  async admitHeads(queue: string, lanes: readonly LaneId[]): Promise<void> {
    const admitted = await admitHeads(this.#at, queue, lanes);
    this.tally(queue, { blocked: -admitted, ready: admitted });
  }

  async blockHead(queue: string, lane: LaneId): Promise<void> {
    const [raw] = await laneSteps.lockLanes(this.#at, queue, [lane]);
    const head = raw && (await laneSteps.admittedIn(this.#at, raw));
    if (!head || !["ready", "scheduled", "blocked"].includes(head.state)) return;
    await laneSteps.unadmitHeads(this.#at, queue, [{ lane, pos: head.pos }]);
    if (head.state === "blocked") return;
    if (head.state === "ready") await this.leaveReady(queue, [head.pos]);
    else await this.leaveTimers([head.pos]);
    this.tally(queue, { [head.state]: -1, blocked: 1 });
  }

  waitingInLane(queue: string, lane: LaneId, most: number): Promise<JobRow[]> {
    return laneSteps.waitingInLane(this.#at, queue, lane, most);
  }

  job(reference: JobReference, scope?: Scope): Promise<JobRow | undefined> {
    return jobSteps.readJob(this.#at, reference, scope);
  }

  jobs(positions: readonly number[]): Promise<JobRow[]> {
    return jobSteps.readJobs(this.#at, positions);
  }

  lockJobs(positions: readonly number[]): Promise<JobRow[]> {
    return jobSteps.lockJobs(this.#at, positions);
  }

  saveJobs(positions: readonly number[], patch: JobPatch): Promise<void> {
    return jobSteps.saveJobs(this.#at, positions, patch);
  }

  takeRunning(pos: number, fence: number) {
    return runningSteps.takeRunning(this.#at, pos, fence);
  }

  wishCancel(pos: number, cancel: CancelWish): Promise<RunningRow | undefined> {
    return runningSteps.wishCancel(this.#at, pos, cancel);
  }

  async finish(queue: string, worker: string, completions: readonly Completion[]): Promise<boolean> {
    const lanes = new Set(completions.flatMap((completion) => completion.lanes));
    // They run one after the other in the database; on PostgreSQL both are sent together.
    const [, stood] = await Promise.all([
      laneSteps.lockLanes(this.#at, queue, [...lanes]),
      this.#hot.finish(this.#at.session, queue, worker, completions, this.#at.now),
    ]);
    return stood;
  }

  saveCheckpoint(pos: number, fence: number, cursor: string, progress?: string | null): Promise<boolean> {
    return runningSteps.saveCheckpoint(this.#at, pos, fence, cursor, progress ?? null);
  }

  beginBulk(pos: number, fence: number, presets: BulkPresets): Promise<BulkBoundary | undefined> {
    return bulkSteps.beginBulk(this.#at, pos, fence, presets);
  }

  startBulk(pos: number, fence: number, total: number | null): Promise<boolean> {
    return bulkSteps.startBulk(this.#at, pos, fence, total);
  }

  saveChunk(pos: number, fence: number, chunk: ChunkFacts): Promise<BulkBoundary | undefined> {
    return bulkSteps.saveChunk(this.#at, pos, fence, chunk);
  }

  bulk(pos: number): Promise<BulkBoundary | undefined> {
    return bulkSteps.readBulk(this.#at, pos);
  }

  saveThrottle(pos: number, throttle: Parameters<StoreTx["saveThrottle"]>[1]): Promise<BulkBoundary> {
    return bulkSteps.saveThrottle(this.#at, pos, throttle);
  }

  wishAbort(pos: number, wish: StoredAbortWish): Promise<{ wish: StoredAbortWish; isFirst: boolean }> {
    return bulkSteps.wishAbort(this.#at, pos, wish);
  }

  dropAbortWishes(positions: readonly number[]): Promise<void> {
    return bulkSteps.dropAbortWishes(this.#at, positions);
  }

  markResumed(pos: number): Promise<void> {
    return bulkSteps.markResumed(this.#at, pos);
  }

  claimInLine(request: FinishAndClaimRequest): Promise<FinishAndClaimResult> {
    return this.#hot.claim(this.#at.session, request, this.#at.now);
  }

  claimReady(job: JobRow, worker: string, epoch: number) {
    return lineSteps.claimReady(this.#at, job, worker, epoch);
  }

  enterLine(queue: string, positions: readonly number[]): Promise<Set<number>> {
    return lineSteps.enterLine(this.#at, queue, positions);
  }

  async joinLanes(queue: string, jobs: readonly LineJob[]): Promise<void> {
    if (jobs.length > 0) await this.#hot.joinLanes(this.#at.session, queue, jobs);
  }

  async leaveLanes(queue: string, positions: readonly number[]): Promise<void> {
    const places = await laneSteps.places(this.#at, positions);
    if (places.length === 0) return;
    await laneSteps.lockLanes(this.#at, queue, [...new Set(places.map((place) => place.lane_key))]);
    await this.admitHeads(queue, await laneSteps.leavePlaces(this.#at, queue, positions));
  }

  async inLanes(positions: readonly number[]): Promise<Set<number>> {
    if (positions.length === 0) return new Set();
    return new Set((await laneSteps.places(this.#at, positions)).map((place) => place.pos));
  }

  leaveReady(queue: string, positions: readonly number[]): Promise<void> {
    return lineSteps.leaveReady(this.#at, queue, positions);
  }

  setTimer(queue: string, pos: number, due: number, kind: TimerKind): Promise<void> {
    return lineSteps.setTimer(this.#at, queue, pos, due, kind);
  }

  leaveTimers(positions: readonly number[]): Promise<void> {
    return lineSteps.leaveTimers(this.#at, positions);
  }

  recordEnded(positions: readonly number[], state: JobState, at: number) {
    return lineSteps.recordEnded(this.#at, positions, state, at);
  }

  leaveEnded(positions: readonly number[]): Promise<void> {
    return lineSteps.leaveEnded(this.#at, positions);
  }

  tally(queue: string, changes: Partial<Changes>): void {
    const sums = this.#tallies.get(queue) ?? {};
    for (const [state, change] of Object.entries(changes) as [keyof Changes, number][]) {
      if (change !== 0) sums[state] = (sums[state] ?? 0) + change;
    }
    if (Object.keys(sums).length > 0) this.#tallies.set(queue, sums);
  }

  async counts(queue: string): Promise<JobCounts> {
    const counts = await storedCounts(this.#at, queue);
    for (const state of JOB_STATES) counts[state] += this.#tallies.get(queue)?.[state] ?? 0;
    return counts;
  }

  tryPromotion(queue: string): Promise<boolean> {
    return lineSteps.tryPromotion(this.#at, queue);
  }

  dueJobs(queue: string, now: number, most: number, after?: DuePlace): Promise<DueJob[]> {
    return lineSteps.dueJobs(this.#at, queue, now, most, after);
  }

  firstEnded(queue: string, state: JobState, most: number): Promise<number[]> {
    return lineSteps.firstEnded(this.#at, queue, state, most);
  }

  firstReady(queue: string): Promise<JobRow | undefined> {
    return lineSteps.firstReady(this.#at, queue);
  }

  runningOf(filter: { queue?: string; worker?: string }) {
    return runningSteps.runningOf(this.#at, filter);
  }

  lastClaim(queue: string) {
    return ledgerSteps.lastClaim(this.#at, queue);
  }

  saveStage(stage: EndedStage): Promise<void> {
    return stageSteps.saveStage(this.#at, stage);
  }

  endedStages(pos: number): Promise<EndedStage[]> {
    return stageSteps.endedStages(this.#at, pos);
  }

  lockArrival(event: string): Promise<Arrival | undefined> {
    return arrivalSteps.lockArrival(this.#at, event);
  }

  addArrival(event: string, payload: string): Promise<boolean> {
    return arrivalSteps.addArrival(this.#at, event, payload);
  }

  arrivals(events: readonly string[]): Promise<ReadonlyMap<string, Arrival>> {
    return arrivalSteps.arrivals(this.#at, events);
  }

  addAttempt(attempt: NewAttempt): Promise<void> {
    return ledgerSteps.addAttempt(this.#at, attempt);
  }

  dropAttempts(pos: number, outcome: AttemptOutcome): Promise<void> {
    return ledgerSteps.dropAttempts(this.#at, pos, outcome);
  }

  saveAuditChecked(head: AuditHead): Promise<void> {
    return auditSteps.saveAuditChecked(this.#at, head);
  }

  async addAudit(row: NewAuditRow): Promise<void> {
    // The end of a caller's own transaction is not known here, and a row of the chain is written just before the
    // commit.
    if (!this.store) throw new Error("an audit row needs a transaction of the store");
    this.#audit.push(row);
  }

  event<Type extends EventType>(
    type: Type,
    queue: string | null,
    jobId: string | null,
    data: EventData[Type],
    scope: Scope = {},
  ): void {
    this.#events.push({ type, queue, jobId, data, scope });
  }

  addStop(certificate: StopCertificate): Promise<void> {
    return ledgerSteps.addStop(this.#at, certificate);
  }

  closeStop(id: string, at: number, actor: string): Promise<void> {
    return ledgerSteps.closeStop(this.#at, id, at, actor);
  }

  stop(id: string): Promise<StopCertificate | undefined> {
    return stop(this.#at, id);
  }

  addSchedule(schedule: Schedule): Promise<boolean> {
    return scheduleSteps.addSchedule(this.#at, schedule);
  }

  saveSchedule(schedule: Schedule): Promise<void> {
    return scheduleSteps.saveSchedule(this.#at, schedule);
  }

  dropSchedule(id: string): Promise<void> {
    return scheduleSteps.dropSchedule(this.#at, id);
  }

  lockSchedule(name: string): Promise<Schedule | undefined> {
    return scheduleSteps.lockSchedule(this.#at, name);
  }

  lockDueSchedules(now: number, most: number, after?: Schedule): Promise<Schedule[]> {
    return scheduleSteps.lockDueSchedules(this.#at, now, most, after);
  }

  savePlan(plan: PlanRow): Promise<void> {
    return planSteps.savePlan(this.#at, plan);
  }

  plan(id: string): Promise<PlanRow | undefined> {
    return planSteps.readPlan(this.#at, id);
  }

  closePlan(id: string, at: number): Promise<void> {
    return planSteps.closePlan(this.#at, id, at);
  }

  dropPlan(queue: string, before: number): Promise<boolean> {
    return planSteps.dropPlan(this.#at, queue, before);
  }

  addOperation(operation: OperationRow): Promise<void> {
    return operationSteps.addOperation(this.#at, operation);
  }

  lockOperation(id: string): Promise<OperationRow | undefined> {
    return operationSteps.lockOperation(this.#at, id);
  }

  saveOperation(operation: OperationRow): Promise<boolean> {
    return operationSteps.saveOperation(this.#at, operation);
  }

  takeOperation(id: string, beat: number, driver: string): Promise<boolean> {
    return operationSteps.takeOperation(this.#at, id, beat, driver);
  }

  beatOperation(id: string, driver: string): Promise<boolean> {
    return operationSteps.beatOperation(this.#at, id, driver);
  }

  leaveOperation(id: string, driver: string): Promise<void> {
    return operationSteps.leaveOperation(this.#at, id, driver);
  }

  dropOperations(queue: string, before: number): Promise<void> {
    return operationSteps.dropOperations(this.#at, queue, before);
  }

  addSteps(list: string, from: number, steps: readonly (readonly ListItem[])[]): Promise<void> {
    return operationSteps.addSteps(this.#at, list, from, steps);
  }

  dropListBefore(list: string, before: number): Promise<void> {
    return operationSteps.dropListBefore(this.#at, list, before);
  }

  listStep(list: string, number: number): Promise<ListItem[]> {
    return operationSteps.listStep(this.#at, list, number);
  }

  lastEndedPlace(queue: string, state: JobState) {
    return lastEndedPlace(this.#at, queue, state);
  }

  addDecision(decision: DecisionRow): Promise<void> {
    return decisionSteps.addDecision(this.#at, decision);
  }

  lockDecision(id: string): Promise<DecisionRow | undefined> {
    return decisionSteps.lockDecision(this.#at, id);
  }

  pendingDecision(jobId: string): Promise<DecisionRow | undefined> {
    return decisionSteps.pendingDecision(this.#at, jobId);
  }

  settleDecision(id: string, settled: SettledDecision): Promise<void> {
    return decisionSteps.settleDecision(this.#at, id, settled);
  }

  addLostWorker(worker: WorkerRow, jobs: readonly string[]): Promise<void> {
    return addLostWorker(this.#at, worker, jobs);
  }

  forgetWorker(worker: string): Promise<void> {
    return purgeSteps.forgetWorker(this.#at, worker);
  }

  async deleteJobs(queue: string, jobs: readonly JobRow[]): Promise<void> {
    await deleteSteps.deleteJobs(
      this.#at,
      queue,
      jobs.map((job) => job.pos),
    );
    for (const { state } of jobs) this.tally(queue, state === "done" ? { purged: 1 } : { [state]: -1 });
  }

  takeJobsOf(queue: string, most: number): Promise<number[]> {
    return deleteSteps.takeJobsOf(this.#at, queue, most);
  }

  async deleteLeftovers(queue: string, most: number): Promise<number> {
    return deleteSteps.deleteLeftovers(this.#at, queue, most);
  }

  async deleteQueue(name: string): Promise<void> {
    await deleteSteps.deleteQueueRow(this.#at, name);
  }

  dropHistory(kind: HistoryKind, before: number, most: number): Promise<number> {
    return historySteps.dropHistory(this.#at, kind, before, most);
  }

  async purge(queue: string, state: JobState, before: number, most: number): Promise<Purged> {
    const purged = await purgeSteps.purge(this.#at, queue, state, before, most);
    const { gone } = purged;
    this.tally(queue, state === "done" ? { purged: gone } : { [state]: -gone });
    return purged;
  }
}
