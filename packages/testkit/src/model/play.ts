import { isAndonError, type JobState, parseQueueRules, type QueueRulesInput } from "@andon/contract";
import {
  type Andon,
  type Claim,
  type Completion,
  DestinationDown,
  type FinishAndClaimRequest,
  type Queue,
  type QueueDefinition,
  Unretryable,
} from "@andon/engine";
import {
  claimProbe,
  complete,
  completionOf,
  expire,
  fail,
  failureOf,
  giveBack,
  park,
  promote,
  snooze,
} from "@andon/engine/verbs";
import { expect } from "vitest";
import type { ManualClock } from "../conformance/manual-clock.ts";
import { LineModel, type ModelJob, type ModelRules } from "./line-model.ts";
import type { Move } from "./moves.ts";

const WHO = { actor: "model", reason: "a move" };
const NO_CHANCE = { next: () => 0 };

/**
 * Runs moves on a queue of a real store and on the model, and compares them after every move. This file is long because
 * each move has its two sides here, next to each other.
 */
export class Play {
  readonly model: LineModel;
  /** The number of decisions made, each of which must have an audit row. */
  decisions = 0;
  readonly #andon: Andon;
  readonly #clock: ManualClock;
  readonly #queue: Queue<{ n: number }>;
  readonly #definition: QueueDefinition;
  readonly #awaited = new Map<ModelJob, string>();
  #events = 0;
  readonly #claims = new Map<ModelJob, Claim & { by: string }>();
  readonly #ended: (Claim & { by: string })[] = [];

  constructor(andon: Andon, clock: ManualClock, name: string, rules: ModelRules) {
    this.#andon = andon;
    this.#clock = clock;
    const input = rulesInput(rules);
    this.#queue = andon.queue(name, input);
    this.#definition = { name, rules: parseQueueRules(name, input), hooks: {} };
    this.model = new LineModel(rules, clock.now());
  }

  async play(move: Move): Promise<void> {
    if (this.model.jobs.length === 0) await this.#queue.status();
    await this.#do(move);
    await this.#compare(move);
  }

  async #do(move: Move): Promise<void> {
    const { model } = this;
    const { store } = this.#andon;
    switch (move.do) {
      case "add":
        return this.#add(move);
      case "claim":
        return this.#claim(move.worker, move.want);
      case "finish-and-claim":
        return this.#finishAndClaim(move.pick, move.want);
      case "probe":
        return this.#probe(move.worker);
      case "complete":
        return this.#complete(pickOf(model.inState("running"), move.pick));
      case "completeLate":
        return this.#completeLate(move.pick);
      case "fail":
        return this.#withClaim(move.pick, async (job, claim) => {
          await fail(
            store,
            this.#definition,
            claim,
            failureOf(errorOf(move.how), this.#definition.rules),
            NO_CHANCE,
          );
          model.fail(job, move.how);
        });
      case "snooze":
        return this.#withClaim(move.pick, async (job, claim) => {
          await snooze(store, this.#definition, claim, move.ms);
          model.snooze(job, move.ms);
        });
      case "park":
        return this.#withClaim(move.pick, async (job, claim) => {
          const event = `${this.#queue.name} event ${++this.#events}`;
          if (move.early) await this.#andon.arrive(event);
          this.#awaited.set(job, event);
          const until = move.ms === null ? undefined : this.#clock.now() + move.ms;
          await park(store, this.#definition, claim, event, { until });
          model.park(job, move.ms, move.early);
        });
      case "arrive": {
        const job = pickOf(model.inState("parked"), move.pick);
        if (!job) return;
        await this.#andon.arrive(this.#awaited.get(job) ?? "");
        model.arrive(job);
        return this.#promote();
      }
      case "lose":
        return this.#withClaim(move.pick, async (job, claim) => {
          await giveBack(store, this.#definition, claim, "lost");
          model.lose(job);
        });
      case "cancel":
        return this.#decide(
          pickOf(model.jobs, move.pick),
          (job) => this.#queue.cancel(job.id, WHO),
          (job) => model.cancel(job),
        );
      case "retry":
        return this.#decide(
          pickOf(model.jobs, move.pick),
          (job) => this.#queue.retry(job.id, WHO),
          (job) => model.retry(job),
        );
      case "skip":
        return this.#decide(
          pickOf(model.jobs, move.pick),
          (job) => this.#queue.skip(job.id, WHO),
          (job) => model.resolve(job),
        );
      case "runNow":
        return this.#decide(
          pickOf(model.jobs, move.pick),
          (job) => this.#queue.runNow(job.id, WHO),
          (job) => model.runNow(job),
        );
      case "retryAll":
        return this.#retryAll();
      case "skipAllAndResume":
        return this.#skipAll();
      case "stop":
        if ((await this.#queue.stop(WHO)).changed) this.decisions++;
        model.stop();
        return;
      case "resume":
        if ((await this.#queue.resume(WHO)).changed) this.decisions++;
        model.open();
        return;
      case "hold":
        return this.#decideLane(
          move.key,
          (key) => this.#queue.hold(key, WHO),
          (key) => model.hold(key),
        );
      case "release":
        return this.#decideLane(
          move.key,
          (key) => this.#queue.release(key, WHO),
          (key) => model.release(key),
        );
      case "cancelRest":
        return this.#decideLane(
          move.key,
          (key) => this.#queue.cancelRest(key, WHO),
          (key) => model.cancelRest(key),
        );
      case "pass":
        this.#clock.jump(move.ms);
        model.pass(move.ms);
        return this.#promote();
    }
  }

  /** Does the housekeeper's work: promotes due jobs, and expires parked ones. */
  async #promote(): Promise<void> {
    const { store } = this.#andon;
    for (;;) {
      const { promoted, expired } = await promote(store, this.#queue.name);
      for (const pos of expired) await expire(store, this.#definition, pos);
      if (promoted + expired.length === 0) return;
    }
  }

  async #add(move: Extract<Move, { do: "add" }>): Promise<void> {
    const runAt = move.later === null ? undefined : this.#clock.now() + move.later;
    const { id } = await this.#queue.add(
      { n: this.model.jobs.length },
      { keys: move.keys, priority: move.priority, runAt },
    );
    this.model.add({ id, keys: move.keys, rank: 0 - move.priority }, runAt ?? null);
  }

  async #claim(worker: string, want: number): Promise<void> {
    // Under load a claim on PostgreSQL may skip jobs that were added below its floor in the last 50 ms (ClaimFloor).
    await this.#do({ do: "pass", ms: 60 });
    const { claims } = await this.#andon.store.finishAndClaim(this.#request(worker, want));
    this.#expectClaims(claims, worker, want);
  }

  /** The usual request of a worker: it claims the next job in the request that finishes the last one. */
  async #finishAndClaim(pick: number, want: number): Promise<void> {
    await this.#do({ do: "pass", ms: 60 });
    const job = pickOf(this.model.inState("running"), pick);
    const claim = job && this.#claims.get(job);
    if (!job || !claim || claim.isProbe || job.wished) return;
    const done = [completionOf(claim, null)];
    const { refused, claims } = await this.#andon.store.finishAndClaim({
      ...this.#request(claim.by, want),
      done,
    });
    expect(refused).toEqual([]);
    this.#end(job, claim);
    this.model.complete(job);
    this.#expectClaims(claims, claim.by, want);
  }

  #request(worker: string, want: number): FinishAndClaimRequest {
    const { rules, name } = this.#definition;
    const limit = rules.concurrency ?? null;
    return {
      queue: name,
      worker,
      done: [],
      want,
      limit,
      serial: rules.mode === "serial",
      rate: null,
      sharing: null,
    };
  }

  #expectClaims(claims: readonly Claim[], worker: string, want: number): void {
    const expected = this.model.claim(want);
    expect(claims.map((claim) => claim.job.id)).toEqual(expected.map((job) => job.id));
    for (const [index, job] of expected.entries())
      this.#claims.set(job, { ...(claims[index] as Claim), by: worker });
  }

  async #probe(worker: string): Promise<void> {
    const claim = await claimProbe(this.#andon.store, this.#queue.name, worker);
    const expected = this.model.claimProbe();
    expect(claim?.job.id).toBe(expected?.id);
    if (claim && expected) this.#claims.set(expected, { ...claim, by: worker });
  }

  async #complete(job: ModelJob | undefined): Promise<void> {
    const claim = job && this.#claims.get(job);
    if (!job || !claim) return;
    const completion = completionOf(claim, null);
    if (claim.isProbe && !job.wished) {
      const slow = { queue: this.#queue.name, worker: claim.by, jobId: job.id, isProbe: true, writes: null };
      await complete(this.#andon.store, [{ ...completion, ...slow }]);
    } else {
      const { refused } = await this.#finish(claim.by, completion);
      expect(refused, "a completion is refused just when the job was to be cancelled").toEqual(
        job.wished ? [claim.pos] : [],
      );
    }
    if (job.wished) return;
    this.#end(job, claim);
    this.model.complete(job);
  }

  /** A claim that has ended can finish nothing, whatever the state of its job. */
  async #completeLate(pick: number): Promise<void> {
    const claim = pickOf(this.#ended, pick);
    if (!claim) return;
    const { refused } = await this.#finish(claim.by, completionOf(claim, '"late"'));
    expect(refused).toEqual([claim.pos]);
  }

  #finish(worker: string, done: Completion) {
    const base = { queue: this.#queue.name, want: 0, limit: null, serial: false, rate: null, sharing: null };
    return this.#andon.store.finishAndClaim({ ...base, worker, done: [done] });
  }

  async #withClaim(pick: number, work: (job: ModelJob, claim: Claim) => Promise<void>): Promise<void> {
    const job = pickOf(this.model.inState("running"), pick);
    const claim = job && this.#claims.get(job);
    if (!job || !claim) return;
    await work(job, claim);
    this.#end(job, claim);
  }

  #end(job: ModelJob, claim: Claim & { by: string }): void {
    this.#claims.delete(job);
    this.#ended.push(claim);
  }

  async #decide(
    job: ModelJob | undefined,
    real: (job: ModelJob) => Promise<unknown>,
    model: (job: ModelJob) => boolean,
  ): Promise<void> {
    if (!job) return;
    const before = this.model.shown(job);
    const error = await real(job).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const isLegal = model(job);
    if (isLegal) this.decisions++;
    if (isLegal) expect(error, `from ${before}`).toBeUndefined();
    else expect(isAndonError(error, "JOB_STATE"), `from ${before}: ${String(error)}`).toBe(true);
  }

  async #decideLane(
    key: string,
    real: (key: string) => Promise<unknown>,
    model: (key: string) => boolean,
  ): Promise<void> {
    const result = await real(key).catch((error: unknown) => error);
    const isLegal = model(key);
    expect(isAndonError(result), `${key}: ${String(result)}`).toBe(!isLegal);
    const changed = (result as { changed?: boolean }).changed ?? true;
    if (isLegal && changed) this.decisions++;
  }

  async #retryAll(): Promise<void> {
    const failed = this.model.inState("failed");
    expect((await this.#queue.retryAll(WHO)).retried).toBe(failed.length);
    for (const job of failed) this.model.retry(job);
    this.decisions += rowsOver(failed);
  }

  async #skipAll(): Promise<void> {
    const failed = this.model.inState("failed");
    expect((await this.#queue.skipAllAndResume(WHO)).skipped).toBe(failed.length);
    for (const job of failed) this.model.resolve(job);
    this.decisions += rowsOver(failed) + (this.model.state === "open" ? 0 : 1);
    this.model.open();
  }

  async #compare(move: Move): Promise<void> {
    const { name } = this.#queue;
    const rows = await this.#andon.transaction((tx) =>
      tx.query<{ id: string; state: JobState; attempts: number }>(
        "select id, job_state as state, attempts from andon_job_states where queue = $1 order by pos",
        [name],
      ),
    );
    const expected = this.model.jobs.map((job) => ({
      id: job.id,
      state: this.model.shown(job),
      attempts: job.attempts,
    }));
    expect(
      rows.map((row) => ({ ...row })),
      `after ${JSON.stringify(move)}`,
    ).toEqual(expected);
    const row = await this.#andon.store.read.queue(name);
    if (!row) return;
    expect({ state: row.state, probe: row.probeJobId }).toEqual({
      state: this.model.state,
      probe: this.model.probe?.id ?? null,
    });
  }
}

function rulesInput(rules: ModelRules): QueueRulesInput {
  return {
    mode: rules.serial ? "serial" : "lanes",
    concurrency: rules.serial ? undefined : (rules.limit ?? undefined),
    attempts: rules.attempts,
    maxStalled: rules.maxStalled,
    backoff: { type: "fixed", delay: rules.backoff },
    onFinalFailure: rules.policy,
  };
}

function errorOf(how: "retryable" | "fatal" | "sick"): Error {
  if (how === "fatal") return new Unretryable("broken for good");
  return how === "sick" ? new DestinationDown("does not answer") : new Error("try again");
}

function pickOf<T>(items: readonly T[], pick: number): T | undefined {
  return items.length === 0 ? undefined : items[pick % items.length];
}

/** One row for each job, and one for the decision over all of them if there were any. */
function rowsOver(jobs: readonly unknown[]): number {
  return jobs.length > 0 ? jobs.length + 1 : 0;
}
