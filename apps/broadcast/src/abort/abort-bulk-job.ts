import { type Decision, isAndonError } from "@andon/contract";
import type { Aborted, Queue, Store } from "@andon/engine";
import type { Scope } from "../broadcast-context.ts";
import type { BulkJobState } from "../contract/states.ts";
import type { AbortFlags, FlaggedWish } from "./abort-flags.ts";
import type { UnrecordedAborts } from "./unrecorded-aborts.ts";

/** If Redis takes longer to accept the flag, the abort continues without it: a silent Redis must not delay the database. */
const LONGEST_FLAGGING_MS = 200;
/** Once a flag carries the abort, the operator waits no longer than this for the database. */
const LONGEST_RECORDING_MS = 2_000;
/** The factor and margin of the engine's estimate for a job without a finished chunk. */
const CHUNKS = 1.5;
const MARGIN_MS = 500;

export interface AbortAnswer {
  readonly id: string;
  readonly state: BulkJobState;
  readonly stopsWithinMs: number;
  /** False: only the flag is set, and the abort is recorded later. */
  readonly recorded: boolean;
}

export interface AbortPorts {
  readonly store: Store;
  readonly queue: Queue<unknown>;
  readonly flags: AbortFlags;
  readonly unrecorded: UnrecordedAborts;
  /** Throws if the caller's scope has no such job. */
  readonly find: () => Promise<unknown>;
}

/** The state of a job that was not running when it was aborted. */
const STATE_OF: Readonly<Record<Aborted["outcome"], BulkJobState>> = {
  aborted: "ABORTED",
  requested: "ABORTING",
  done: "COMPLETED",
};

/**
 * Aborts a bulk job. The flag is set before the first statement of the abort, so that a database in trouble, which may be the
 * reason for the abort, cannot keep the abort from the worker. Then the store records it. If that takes too long, the answer
 * does not wait for it and the recording continues.
 */
export async function abortBulkJob(
  ports: AbortPorts,
  id: string,
  decision: Decision,
  { tenantId, organizationId }: Scope,
): Promise<AbortAnswer> {
  const { store, queue, flags, unrecorded } = ports;
  const reason = decision.reason?.trim() || null;
  const wish: FlaggedWish = {
    by: decision.actor,
    tenantId,
    organizationId,
    reason,
    requestedAt: store.clock.now(),
  };
  const flagging = flags.set(id, wish);
  await inTime(flagging, LONGEST_FLAGGING_MS);
  const record = async () => {
    await ports.find();
    return queue.abort(id, decision, { noun: "bulk", requestedAt: wish.requestedAt });
  };
  const recording = record();
  try {
    const done =
      (await inTime(recording, LONGEST_RECORDING_MS)) ?? ((await flagging) ? undefined : await recording);
    if (done) {
      const { outcome, stopsWithinMs } = done;
      // The answer names what was requested of the running job, even if the job has stopped since; the receipt says when it
      // stopped.
      return {
        id,
        state: stopsWithinMs > 0 ? "ABORTING" : STATE_OF[outcome],
        stopsWithinMs,
        recorded: true,
      };
    }
  } catch (error) {
    if (!(await flagging)) throw error;
    if (isAndonError(error, "JOB_STATE") && (await hasMetFlag(queue, id, wish)))
      return { id, state: "ABORTING", stopsWithinMs: MARGIN_MS, recorded: true };
    if (isAndonError(error) || !store.isUnavailable(error)) {
      await flags.clear(id, wish.requestedAt);
      throw error;
    }
  }
  unrecorded.keep(id, wish, recording, record);
  const stopsWithinMs = Math.ceil(queue.rules.timeout * CHUNKS) + MARGIN_MS;
  return { id, state: "ABORTING", stopsWithinMs, recorded: false };
}

/** Whether the worker found the flag and recorded the abort before the store was asked to. */
async function hasMetFlag(queue: Queue<unknown>, id: string, wish: FlaggedWish): Promise<boolean> {
  const abort = (await queue.bulkState(id))?.abort;
  return abort?.requestedAt === wish.requestedAt && abort.by === wish.by;
}

/** Resolves to undefined if the work takes too long; the work continues. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
