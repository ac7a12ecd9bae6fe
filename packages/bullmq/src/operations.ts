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
  /** Waiting jobs, including prioritized jobs. */
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
  /** Completed jobs that BullMQ still keeps, by `removeOnComplete`. */
  readonly completed: number;
  /** Jobs that wait for a back-off, a later time, or their children. */
  readonly delayed: number;
  /** Null while the queue runs, and where another tool paused it. */
  readonly pausedAt: string | null;
  readonly pauseReason: string | null;
}

const DAY_MS = 86_400_000;
const PRESET_KEEP = 90 * DAY_MS;

const LONGEST_PAGE = 100;

/** What BullMQ's retry script returns when it does not retry. */
const JOB_HASH_MISSING = -1;
const NOT_AMONG_FAILED = -3;

/** The most jobs that one script resolves or one round retries: Redis runs nothing else meanwhile. */
const STEP = 100;

/**
 * An operator's actions on a BullMQ queue. One call to Redis reads or changes at most `STEP` jobs; only a resume moves all jobs of
 * BullMQ 5's list `paused` at once.
 */
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

  /** Whether the queue is paused, since when and why, and the five counts, all at one moment. */
  async status(): Promise<QueueStatus> {
    return (await this.inspect()).status;
  }

  /** The status with the whole record of the stop. */
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

  /** One failed job with its attempts and stack trace. Throws JOB_NOT_FOUND unless the job is failed. */
  async failedJob(id: string): Promise<FailedDetail> {
    const client = await this.#backend.client;
    const hash = await client.hgetall(this.#keys.job(id));
    const isFailed = (await client.zscore(this.#keys.failed, id)) !== null;
    if (!isFailed || !hash.timestamp) throw new AndonError("JOB_NOT_FOUND", { job: id });
    return failedDetail(id, hash);
  }

  /** A job in any state. A skipped job is found until its record expires. */
  async event(id: string): Promise<JobEvent> {
    const client = await this.#backend.client;
    const hash = await client.hgetall(this.#keys.job(id));
    const state = hash.timestamp ? await this.#backend.getState(id) : "unknown";
    if (state !== "unknown") return jobEvent(this.queue, id, hash, state);
    const record = await client.hgetall(this.#keys.record(id));
    if (record.timestamp) return jobEvent(this.queue, id, record, "resolved");
    throw new AndonError("JOB_NOT_FOUND", { job: id });
  }

  /** Pauses the queue by hand; running jobs finish. A queue that is already stopped keeps its reason. */
  async pause(reason: string | null, by: string): Promise<{ changed: boolean; stop: Stop }> {
    const { meta, marker, events, stop, active } = this.#keys;
    const why = reason === null || isBlank(reason) ? "MANUAL_PAUSE" : reason;
    const answer = await this.#run(PAUSE_BY_HAND, [meta, marker, events, stop, active], [why, by]);
    const [changed, hash] = answer as [number, unknown];
    return { changed: changed === 1, stop: stopOf(hash) as Stop };
  }

  /** Resumes the queue. Failed jobs stay failed. */
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
   * Puts a failed job back at the head of the queue with its attempts reset; a prioritized job goes among the jobs of its priority.
   * BullMQ keeps the id of a job, so `newJobId` is the same. Throws JOB_STATE unless the job is failed: of two operators one wins.
   */
  async retry(id: string): Promise<{ jobId: string; newJobId: string; syncEventId: string }> {
    if ((await this.#retryIfFailed(id)) !== "retried") await this.#refuse(id, "retry");
    return { jobId: id, newJobId: id, syncEventId: (await this.event(id)).syncEventId };
  }

  /** Retries every job that is failed now, without resuming the queue. The job that failed first starts first. */
  async retryAll(): Promise<number> {
    const startedAt = await this.#newestFailure();
    let retried = 0;
    let lost = 0;
    for (;;) {
      const ids = await this.#failedUntil(startedAt, lost);
      if (ids.length === 0) return retried;
      // One connection runs its commands in the order they are sent.
      const outcomes = await Promise.all(ids.map((id) => this.#retryIfFailed(id)));
      retried += outcomes.filter((outcome) => outcome === "retried").length;
      lost += outcomes.filter((outcome) => outcome === "lost").length;
    }
  }

  /** Resolves a failed job by hand: BullMQ removes it, and its record stays readable as MANUALLY_RESOLVED. */
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
   * Resolves every job that is failed now, then resumes. It works in steps: after a crash between two steps the queue is still stopped
   * with the remaining failed jobs, and the same call continues.
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

  /** Removes what a crash in the middle of a skip left behind. */
  async #removeLeaving(): Promise<void> {
    const client = await this.#backend.client;
    await this.#remove(await client.smembers(this.#keys.leaving));
  }

  /** Uses BullMQ's own removal script, which also handles flows, deduplication and the job's events. */
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

  /** `lifo` puts the job at the right end of BullMQ's list, which is the head of the queue. */
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

  /** The time of the newest failure. A job that fails later, while the queue runs, is not part of the decision. */
  async #newestFailure(): Promise<number> {
    const client = await this.#backend.client;
    const [, score] = await client.zrevrange(this.#keys.failed, 0, 0, { WITHSCORES: true });
    return score === undefined ? 0 : Number(score);
  }

  /** The newest failed jobs up to that time. Newest first, so that the oldest is put back last and becomes the head. */
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
