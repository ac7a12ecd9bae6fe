import type { FailurePolicy, JobState } from "@andon/contract";

/** What the model knows about a job. `waiting` is shown as ready or blocked, depending on its lanes. */
export interface ModelJob {
  readonly id: string;
  readonly order: number;
  readonly keys: readonly string[];
  readonly rank: number;
  state: "waiting" | Exclude<JobState, "ready" | "blocked" | "aborted">;
  due: number;
  inBackoff: boolean;
  attempts: number;
  stalled: number;
  wished: boolean;
  isProbe: boolean;
}

export interface ModelRules {
  readonly serial: boolean;
  readonly limit: number | null;
  readonly attempts: number;
  readonly maxStalled: number;
  readonly backoff: number;
  readonly policy: FailurePolicy | "auto";
}

/**
 * The specified behaviour of a queue in as little code as possible: lists instead of tables, and no locks, since one
 * thing happens after another. The engine is compared with it.
 */
export class LineModel {
  readonly rules: ModelRules;
  readonly jobs: ModelJob[] = [];
  readonly lanes = new Map<string, ModelJob[]>();
  readonly heldByHand = new Set<string>();
  state: "open" | "degraded" | "stopped" = "open";
  probe: ModelJob | undefined;
  now: number;

  constructor(rules: ModelRules, now: number) {
    this.rules = rules;
    this.now = now;
  }

  shown(job: ModelJob): JobState {
    if (job.state !== "waiting") return job.state;
    const isFree = job.keys.every((key) => this.lanes.get(key)?.[0] === job && !this.heldByHand.has(key));
    return isFree ? "ready" : "blocked";
  }

  inState(state: JobState): ModelJob[] {
    return this.jobs.filter((job) => this.shown(job) === state);
  }

  /** Ready jobs in the order they will be claimed. */
  line(): ModelJob[] {
    return this.inState("ready").sort((a, b) => a.rank - b.rank || a.order - b.order);
  }

  add(job: Pick<ModelJob, "id" | "keys" | "rank">, due: number | null): void {
    const base = {
      ...job,
      order: this.jobs.length,
      inBackoff: false,
      attempts: 0,
      stalled: 0,
      wished: false,
      isProbe: false,
    };
    const added: ModelJob = { ...base, state: due === null ? "waiting" : "scheduled", due: due ?? 0 };
    this.jobs.push(added);
    if (due === null) this.join(added);
  }

  claim(want: number): ModelJob[] {
    if (this.state !== "open") return [];
    if (this.rules.serial && this.jobs.some((job) => job.state === "scheduled" && job.inBackoff)) return [];
    const room = (this.rules.limit ?? Number.POSITIVE_INFINITY) - this.inState("running").length;
    const claimed = this.line().slice(0, Math.max(0, Math.min(want, room)));
    for (const job of claimed) job.state = "running";
    return claimed;
  }

  claimProbe(): ModelJob | undefined {
    this.passBlockedProbeOn();
    const { probe } = this;
    if (this.state !== "degraded" || !probe || this.shown(probe) !== "ready") return undefined;
    probe.state = "running";
    probe.isProbe = true;
    return probe;
  }

  complete(job: ModelJob): void {
    this.end(job, "done");
    if (job.isProbe && this.probe === job) this.open();
  }

  /** A failed attempt; `sick` is a fault of the destination. */
  fail(job: ModelJob, how: "retryable" | "fatal" | "sick"): void {
    if (job.wished) {
      this.end(job, "cancelled");
      this.passProbeOn(job);
      return;
    }
    const isSick = how === "sick" && !this.rules.serial;
    const isProbe = this.state === "degraded" && this.probe === job;
    job.stalled = 0;
    if (isSick && this.state === "degraded" && !isProbe) {
      this.wait(job);
      return;
    }
    if (isProbe && !isSick) this.open();
    job.attempts++;
    if (how === "fatal" || job.attempts >= this.rules.attempts) {
      this.failFinally(job, how === "sick");
      return;
    }
    this.backOff(job, this.rules.backoff);
    if (!isSick || this.state !== "open") return;
    this.state = "degraded";
    this.probe = job;
  }

  snooze(job: ModelJob, ms: number): void {
    if (job.wished) {
      this.end(job, "cancelled");
      this.passProbeOn(job);
      return;
    }
    job.stalled = 0;
    this.backOff(job, ms);
    this.passProbeOn(job);
  }

  /** Parks the job for its own event, for this long; if the event has already arrived, the job goes back in line. */
  park(job: ModelJob, ms: number | null, hasArrived: boolean): void {
    if (job.wished) this.end(job, "cancelled");
    else {
      job.stalled = 0;
      if (hasArrived) this.wait(job);
      else
        Object.assign(job, {
          state: "parked",
          due: this.now + (ms ?? Number.POSITIVE_INFINITY),
          isProbe: false,
        });
    }
    this.passProbeOn(job);
  }

  arrive(job: ModelJob): void {
    this.wait(job);
  }

  /** The job's worker died. */
  lose(job: ModelJob): void {
    if (job.wished) {
      this.end(job, "cancelled");
      this.passProbeOn(job);
      return;
    }
    job.stalled++;
    if (job.stalled <= this.rules.maxStalled) {
      this.wait(job);
      return;
    }
    job.attempts++;
    this.failFinally(job, false);
  }

  cancel(job: ModelJob): boolean {
    if (!["scheduled", "waiting", "running", "parked"].includes(job.state)) return false;
    if (job.state === "running") job.wished = true;
    else {
      this.end(job, "cancelled");
      this.passProbeOn(job);
    }
    return true;
  }

  retry(job: ModelJob): boolean {
    if (job.state !== "failed") return false;
    if (job.keys.some((key) => !this.lanes.get(key)?.includes(job))) this.join(job);
    Object.assign(job, { attempts: 0, stalled: 0 });
    this.wait(job);
    return true;
  }

  resolve(job: ModelJob): boolean {
    if (job.state !== "failed") return false;
    this.end(job, "resolved");
    return true;
  }

  stop(): void {
    this.state = "stopped";
    this.probe = undefined;
  }

  open(): void {
    this.state = "open";
    this.probe = undefined;
  }

  hold(key: string): boolean {
    const lane = this.lanes.get(key) ?? [];
    this.lanes.set(key, lane);
    if (this.heldByHand.has(key)) return true;
    this.heldByHand.add(key);
    const [head] = lane;
    if (head?.state === "scheduled") this.wait(head);
    this.passBlockedProbeOn();
    return true;
  }

  /** False if there is no such lane, or if it can be released only by settling its failed job. */
  release(key: string): boolean {
    const lane = this.lanes.get(key);
    if (!lane) return false;
    if (this.heldByHand.delete(key)) return true;
    return lane[0]?.state !== "failed";
  }

  cancelRest(key: string): boolean {
    const lane = this.lanes.get(key);
    if (!lane) return false;
    const waiting = lane.filter((job) => job.state === "waiting" || job.state === "scheduled");
    for (const job of waiting) this.end(job, "cancelled");
    for (const job of waiting) this.passProbeOn(job);
    return true;
  }

  runNow(job: ModelJob): boolean {
    if (job.state !== "scheduled") return false;
    if (!job.inBackoff) this.join(job);
    this.wait(job);
    return true;
  }

  pass(ms: number): void {
    this.now += ms;
    const due = this.jobs.filter((job) => job.state === "scheduled" && job.due <= this.now);
    due.sort((a, b) => a.due - b.due || a.order - b.order);
    for (const job of due) this.runNow(job);
    const expired = this.inState("parked").filter((job) => job.due <= this.now);
    expired.sort((a, b) => a.due - b.due || a.order - b.order);
    for (const job of expired) this.failFinally(job, false);
  }

  private failFinally(job: ModelJob, isDestination: boolean): void {
    const { policy } = this.rules;
    const chosen = policy !== "auto" ? policy : isDestination ? "stop-queue" : "hold-lane";
    if (chosen === "skip") this.end(job, "skipped");
    else job.state = "failed";
    if (chosen === "cancel-rest") this.cancelBehind(job);
    if (chosen === "stop-queue") this.stop();
    else this.passProbeOn(job);
  }

  private cancelBehind(job: ModelJob): void {
    const behind = (this.lanes.get(job.keys[0] ?? "") ?? []).filter((other) => other !== job);
    this.leave(job);
    for (const other of behind)
      if (other.state === "waiting" || other.state === "scheduled") this.end(other, "cancelled");
  }

  private passProbeOn(job: ModelJob): void {
    if (this.state !== "degraded" || this.probe !== job) return;
    this.probe = this.line()[0];
    if (!this.probe) this.open();
  }

  /** A probe whose lane is held tests nothing. */
  private passBlockedProbeOn(): void {
    if (this.probe && this.shown(this.probe) === "blocked") this.passProbeOn(this.probe);
  }

  private backOff(job: ModelJob, ms: number): void {
    Object.assign(job, { state: "scheduled", inBackoff: true, due: this.now + ms, isProbe: false });
  }

  private wait(job: ModelJob): void {
    Object.assign(job, { state: "waiting", inBackoff: false, isProbe: false });
  }

  private end(job: ModelJob, state: "done" | "cancelled" | "skipped" | "resolved"): void {
    job.state = state;
    job.wished = false;
    this.leave(job);
  }

  private join(job: ModelJob): void {
    for (const key of job.keys) {
      const lane = this.lanes.get(key) ?? [];
      if (!lane.includes(job)) lane.push(job);
      this.lanes.set(key, lane);
    }
  }

  private leave(job: ModelJob): void {
    for (const key of job.keys) {
      const lane = this.lanes.get(key);
      if (lane?.includes(job)) lane.splice(lane.indexOf(job), 1);
    }
  }
}
