import type { RedisQueueBackend } from "bullmq";
import { attemptField } from "./attempt-history.ts";
import { queueKeys } from "./queue-keys.ts";
import { answersOf, define, run } from "./scripts/script.ts";
import { STOP_BY_FAILURE } from "./scripts/stop-queue.ts";
import { type Stop, stopOf } from "./stop.ts";

/** What the guard needs of a BullMQ `Worker`. */
export interface GuardableWorker {
  readonly name: string;
  getBackend(): RedisQueueBackend;
  emit(event: "error", error: Error): boolean;
}

export interface GuardOptions {
  /** The `pauseReason` of a stop by failure. Default: `JOB_FAILED`. */
  readonly reason?: string;
  /** The value of `pausedBy` for a stop by failure. Default: `system`, the actor name of Andon itself. */
  readonly by?: string;
  /** Called in the worker's process after its failure stopped the queue; once per stop. */
  readonly onStop?: (stop: Stop) => void;
}

const LONGEST_REASON = 1_000;

/** BullMQ's script that ends a job. Its arguments are 14 keys, and then the job's id. */
const FINISH_SCRIPT = "moveToFinished";
const ID_ARGUMENT = 14;

const guarded = new WeakSet<object>();

/**
 * Makes a worker stop its queue when a job finally fails: the pause, its reason and the failure are written in one transaction, and
 * the fetch of the next job, which is part of the same script, finds the queue paused. No worker of any process starts a job after it.
 * Call it right after `new Worker(…)`, in every process that works the queue.
 *
 * It wraps the one BullMQ call that every final failure goes through, whatever made it final: used-up attempts,
 * `UnrecoverableError`, a back-off strategy that returns -1, `maxStartedAttempts`, or a job that stalled too often.
 */
export function guard(worker: GuardableWorker, options: GuardOptions = {}): void {
  const backend = worker.getBackend();
  if (guarded.has(backend)) throw new Error(`The worker of queue "${worker.name}" has a guard already.`);
  if (typeof backend.execCommand !== "function")
    throw new Error("The guard needs BullMQ's Redis backend; other backends have no scripts to join.");
  guarded.add(backend);

  const keys = queueKeys(backend);
  const execCommand = backend.execCommand.bind(backend);
  const moveToFailed = backend.moveToFailed.bind(backend);
  const moveToDelayed = backend.moveToDelayed.bind(backend);
  const retryJob = backend.retryJob.bind(backend);

  /** Jobs whose failure is being written, with the arguments of their stop. */
  const failing = new Map<string, (string | number)[]>();

  const stopArguments = (id: string, token: string, failedReason: string) => [
    keys.meta,
    keys.marker,
    keys.events,
    keys.stop,
    keys.active,
    keys.job(id),
    keys.lock(id),
    token,
    id,
    failedReason.slice(0, LONGEST_REASON),
    options.reason ?? "JOB_FAILED",
    options.by ?? "system",
  ];

  const announce = (answer: unknown) => {
    const stop = stopOf(answer);
    if (!stop || !options.onStop) return;
    try {
      options.onStop(stop);
    } catch (error) {
      worker.emit("error", error as Error);
    }
  };

  backend.execCommand = (client, name, args) => {
    const id = name === FINISH_SCRIPT ? String(args[ID_ARGUMENT]) : undefined;
    const stopping = id === undefined ? undefined : failing.get(id);
    if (id === undefined || !stopping || !("defineCommand" in client)) return execCommand(client, name, args);
    failing.delete(id);
    define(client, STOP_BY_FAILURE);
    const transaction = client.multi();
    transaction.runCommand(STOP_BY_FAILURE.name, stopping);
    execCommand(transaction, name, args);
    return answersOf(transaction).then(([stop, finished]) => {
      announce(stop);
      return finished;
    });
  };

  // A finally failed job is kept whatever `removeOnFail` says: an operator has to decide about it.
  backend.moveToFailed = async (job, failedReason, _removeOnFail, token, fetchNext, fields) => {
    const id = job.id as string;
    const stopping = stopArguments(id, token, failedReason ?? "");
    failing.set(id, stopping);
    const written = { ...fields, ...attemptField(failedReason ?? "", Date.now()) };
    try {
      const moved = await moveToFailed(job, failedReason, false, token, fetchNext, written);
      if (failing.has(id)) await stopLate(stopping);
      return moved;
    } finally {
      failing.delete(id);
    }
  };

  /** For a BullMQ version that fails jobs without the known script: the queue stops after the failure, so a job may have started. */
  async function stopLate(stopping: readonly (string | number)[]): Promise<void> {
    const withoutLock = stopping.with(7, "0");
    announce(await run(await backend.client, STOP_BY_FAILURE, withoutLock));
    worker.emit(
      "error",
      new Error(`The guard does not know this version of BullMQ: queue "${worker.name}" was stopped late.`),
    );
  }

  backend.moveToDelayed = (id, timestamp, delay, token, opts) =>
    moveToDelayed(id, timestamp, delay, token, withAttempt(opts));

  backend.retryJob = (id, lifo, token, opts) => retryJob(id, lifo, token, withAttempt(opts));
}

/** Adds the attempt to the fields of a failure. A job that is delayed without a failure has no fields. */
function withAttempt<Options extends { fieldsToUpdate?: Record<string, unknown> } | undefined>(
  options: Options,
): Options {
  const fields = options?.fieldsToUpdate;
  if (!fields) return options;
  const error = String(fields.failedReason ?? "");
  return { ...options, fieldsToUpdate: { ...fields, ...attemptField(error, Date.now()) } };
}
