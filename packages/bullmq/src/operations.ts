import { AndonError, isBlank, iso } from "@andon/contract";
import type { Queue, RedisQueueBackend } from "bullmq";
import {
  type FailedDetail,
  type FailedItem,
  failedDetail,
  failedItem,
  type JobEvent,
  jobEvent,
} from "./failed-jobs.ts";
import { type QueueKeys, queueKeys } from "./queue-keys.ts";
import { FAILED_UNTIL } from "./scripts/failed-until.ts";
import { READ_STATUS } from "./scripts/read-status.ts";
import { HAVE_LEFT, RESOLVE_FAILED } from "./scripts/resolve-failed.ts";
import { RESUME_QUEUE } from "./scripts/resume-queue.ts";
import { answersOf, define, run, type Script } from "./scripts/script.ts";
import { PAUSE_BY_HAND } from "./scripts/stop-queue.ts";
import { type Stop, stopOf } from "./stop.ts";

/** What the operations need of a BullMQ `Queue`. */
export type OperableQueue = Pick<Queue, "name" | "getBackend">;

export interface OperationOptions {
  /** How long a skipped job stays readable, in milliseconds. Default: 90 days. */
  readonly keepResolved?: number;
}

export interface QueueStatus {
  readonly isPaused: boolean;
  /** Jobs in line, prioritized ones too. */
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
  /** Completed jobs that BullMQ still keeps: `removeOnComplete` decides. */
  readonly completed: number;
  /** Jobs that wait out a back-off, for a later time, or for their children. */
  readonly delayed: number;
  /** Null while the queue runs, and where another tool paused it. */
  readonly pausedAt: string | null;
  readonly pauseReason: string | null;
}

const DAY_MS = 86_400_000;
const PRESET_KEEP = 90 * DAY_MS;

/** A page is never longer. */
const LONGEST_PAGE = 100;

/** What BullMQ's script answers where it does not retry. */
const JOB_HASH_MISSING = -1;
const NOT_AMONG_FAILED = -3;

/** How many jobs one script settles or one round retries: Redis does nothing else meanwhile. */
const STEP = 100;

/** What an operator does to a BullMQ queue. It never reads or changes more than a step of jobs in one command. */
export class QueueOperations {
  readonly queue: string;
  readonly #backend: RedisQueueBackend;
  readonly #keys: QueueKeys;
  readonly #keepResolved: number;

  constructor(queue: OperableQueue, options: OperationOptions = {}) {
    this.queue = queue.name;
    this.#backend = queue.getBackend();
    this.#keys = queueKeys(this.#backend);
    this.#keepResolved = options.keepResolved ?? PRESET_KEEP;
  }

  /** Whether it stands, since when and why, and the five counts; all of one moment. */
  async status(): Promise<QueueStatus> {
    return (await this.inspect()).status;
  }

  /** The same, with all that is known of the stop. */
  async inspect(): Promise<{ status: QueueStatus; stop: Stop | null }> {
    const { meta, stop, wait, paused, prioritized, active, failed, completed, delayed, waitingChildren } =
      this.#keys;
    const keys = [meta, stop, wait, paused, prioritized, active, failed, completed, delayed, waitingChildren];
    const [isPaused, why, ...counts] = (await this.#run(READ_STATUS, keys)) as [number, unknown, ...number[]];
    const stopped = isPaused === 1 ? stopOf(why) : null;
    return {
      status: {
        isPaused: isPaused === 1,
        waiting: counts[0] ?? 0,
        active: counts[1] ?? 0,
        failed: counts[2] ?? 0,
        completed: counts[3] ?? 0,
        delayed: counts[4] ?? 0,
        pausedAt: stopped?.pausedAt ?? null,
        pauseReason: stopped?.pauseReason ?? null,
      },
      stop: stopped,
    };
  }

  /** Failed jobs, newest first. */
  async failed(
    page = 1,
    limit = 10,
  ): Promise<{ total: number; page: number; limit: number; items: FailedItem[] }> {
    const size = Math.min(Math.max(limit, 1), LONGEST_PAGE);
    const from = (Math.max(page, 1) - 1) * size;
    const client = await this.#backend.client;
    const total = await client.zcard(this.#keys.failed);
    const ids = await client.zrevrange(this.#keys.failed, from, from + size - 1);
    const reading = client.pipeline();
    for (const id of ids) reading.hgetall(this.#keys.job(id));
    const hashes = ids.length === 0 ? [] : ((await answersOf(reading)) as Record<string, string>[]);
    const items = ids.flatMap((id, n) => (hashes[n]?.timestamp ? [failedItem(id, hashes[n])] : []));
    return { total, page: Math.max(page, 1), limit: size, items };
  }

  /** One failed job with its attempts and stack trace. JOB_NOT_FOUND where no such job stands failed. */
  async failedJob(id: string): Promise<FailedDetail> {
    const client = await this.#backend.client;
    const hash = await client.hgetall(this.#keys.job(id));
    const isFailed = (await client.zscore(this.#keys.failed, id)) !== null;
    if (!isFailed || !hash.timestamp) throw new AndonError("JOB_NOT_FOUND", { job: id });
    return failedDetail(id, hash);
  }

  /** A job in any state; a skipped one too, for as long as it is kept. */
  async event(id: string): Promise<JobEvent> {
    const client = await this.#backend.client;
    const hash = await client.hgetall(this.#keys.job(id));
    const state = hash.timestamp ? await this.#backend.getState(id) : "unknown";
    if (state !== "unknown") return jobEvent(this.queue, id, hash, state);
    const record = await client.hgetall(this.#keys.record(id));
    if (record.timestamp) return jobEvent(this.queue, id, record, "resolved");
    throw new AndonError("JOB_NOT_FOUND", { job: id });
  }

  /** Stops the queue by hand; running jobs finish. A queue that stands already keeps its reason. */
  async pause(reason: string | null, by: string): Promise<{ changed: boolean; stop: Stop }> {
    const { meta, marker, events, stop, active } = this.#keys;
    const why = reason === null || isBlank(reason) ? "MANUAL_PAUSE" : reason;
    const answer = await this.#run(PAUSE_BY_HAND, [meta, marker, events, stop, active], [why, by]);
    const [changed, hash] = answer as [number, unknown];
    return { changed: changed === 1, stop: stopOf(hash) as Stop };
  }

  /** Lets the queue go on. Failed jobs stay failed. */
  async resume(): Promise<{
    changed: boolean;
    resumedAt: string;
    pendingJobs: number;
    unresolvedFailed: number;
  }> {
    const { meta, marker, events, stop, wait, paused, prioritized, delayed, failed } = this.#keys;
    const keys = [meta, marker, events, stop, wait, paused, prioritized, delayed, failed];
    const [changed, at, pendingJobs, unresolvedFailed] = (await this.#run(RESUME_QUEUE, keys)) as [
      number,
      number,
      number,
      number,
    ];
    return { changed: changed === 1, resumedAt: iso(at), pendingJobs, unresolvedFailed };
  }

  /**
   * Puts a failed job back at the head of the line with fresh attempts; a prioritized one among its like. BullMQ keeps the id of a
   * job, so that `newJobId` is the same. JOB_STATE unless it is failed: of two operators one wins.
   */
  async retry(id: string): Promise<{ jobId: string; newJobId: string; syncEventId: string }> {
    if ((await this.#retryIfFailed(id)) !== "retried") await this.#refuse(id, "retry");
    return { jobId: id, newJobId: id, syncEventId: (await this.event(id)).syncEventId };
  }

  /** Retries every job that stands failed now, and resumes nothing. The one that failed first is the next to start. */
  async retryAll(): Promise<number> {
    const startedAt = await this.#newestFailure();
    let retried = 0;
    let lost = 0;
    for (;;) {
      const ids = await this.#failedUntil(startedAt, lost);
      if (ids.length === 0) return retried;
      // One connection keeps their order.
      const outcomes = await Promise.all(ids.map((id) => this.#retryIfFailed(id)));
      retried += outcomes.filter((outcome) => outcome === "retried").length;
      lost += outcomes.filter((outcome) => outcome === "lost").length;
    }
  }

  /** Settles a failed job by hand: it leaves the failed ones, and stays readable as MANUALLY_RESOLVED. */
  async skip(
    id: string,
    reason: string,
    by: string,
  ): Promise<{ jobId: string; syncEventId: string; resolvedAt: string }> {
    const { resolvedAt, ids } = await this.#settle([id], reason, by);
    if (ids.length === 0) await this.#refuse(id, "skip");
    return { jobId: id, syncEventId: (await this.event(id)).syncEventId, resolvedAt };
  }

  /**
   * Settles every job that stands failed, then resumes. In steps: a process that dies in between leaves the queue stopped with the
   * rest of them, and the same call goes on.
   */
  async skipAllAndResume(reason: string, by: string) {
    const startedAt = await this.#newestFailure();
    let skippedCount = 0;
    for (;;) {
      const ids = await this.#failedUntil(startedAt);
      if (ids.length === 0) return { skippedCount, ...(await this.resume()) };
      skippedCount += (await this.#settle(ids, reason, by)).ids.length;
    }
  }

  async #settle(ids: readonly string[], reason: string, by: string) {
    if (isBlank(reason)) throw new AndonError("REASON_REQUIRED");
    await this.#removeLeaving();
    const { failed, leaving, job, record } = this.#keys;
    const args = [job(""), record(""), by, reason, this.#keepResolved, ...ids];
    const [at, settled] = (await this.#run(RESOLVE_FAILED, [failed, leaving], args)) as [number, string[]];
    await this.#remove(settled);
    return { resolvedAt: iso(at), ids: settled };
  }

  /** What a process that died in the middle of a skip left behind. */
  async #removeLeaving(): Promise<void> {
    const client = await this.#backend.client;
    await this.#remove(await client.smembers(this.#keys.leaving));
  }

  /** BullMQ's own removal: it knows of flows, deduplication and the events of a job. */
  async #remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const client = await this.#backend.client;
    define(client, HAVE_LEFT);
    const removal = client.multi();
    for (const id of ids) {
      const args = [this.#keys.job(id), this.#keys.job("repeat"), id, 0, this.#keys.job("")];
      this.#backend.execCommand(removal, "removeJob", args);
    }
    removal.runCommand(HAVE_LEFT.name, [this.#keys.leaving, ...ids]);
    await answersOf(removal);
  }

  /** The head of the line is the right end, where BullMQ puts jobs that are last in, first out. */
  async #retryIfFailed(id: string): Promise<"retried" | "elsewhere" | "lost"> {
    const job = { id, opts: { lifo: true } } as Parameters<RedisQueueBackend["retryFinishedJob"]>[0];
    try {
      await this.#backend.retryFinishedJob(job, "failed", {
        resetAttemptsMade: true,
        resetAttemptsStarted: true,
      });
      return "retried";
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code === JOB_HASH_MISSING) return "lost";
      if (code === NOT_AMONG_FAILED) return "elsewhere";
      throw error;
    }
  }

  async #refuse(id: string, event: "retry" | "skip"): Promise<never> {
    const { status } = await this.event(id);
    throw new AndonError("JOB_STATE", { job: id, state: status, event, allowed: "FAILED" });
  }

  /** The time of the newest failure: what fails later, as the queue runs, is not of the decision. */
  async #newestFailure(): Promise<number> {
    const client = await this.#backend.client;
    const [, score] = await client.zrevrange(this.#keys.failed, 0, 0, { WITHSCORES: true });
    return score === undefined ? 0 : Number(score);
  }

  /** The newest failed jobs up to that time, so that the oldest is put back last, in front. */
  async #failedUntil(newest: number, passed = 0): Promise<string[]> {
    return (await this.#run(FAILED_UNTIL, [this.#keys.failed], [newest, passed, STEP])) as string[];
  }

  async #run(script: Script, keys: readonly string[], args: readonly (string | number)[] = []) {
    return run(await this.#backend.client, script, [...keys, ...args]);
  }
}

/** The operations on a queue: `operate(new Queue("mails", { connection }))`. */
export function operate(queue: OperableQueue, options?: OperationOptions): QueueOperations {
  return new QueueOperations(queue, options);
}
