import { type Decision, isAndonError } from "@andon/contract";
import type { Aborted, Queue, Store } from "@andon/engine";
import type { Scope } from "../broadcast-context.ts";
import type { BulkJobState } from "../contract/states.ts";
import type { AbortFlags, FlaggedWish } from "./abort-flags.ts";
import type { LateAborts } from "./late-aborts.ts";

/** A Redis that is silent for longer counts as none, as it does for the walk: the database must not wait for it. */
const LONGEST_FLAGGING_MS = 200;
/** An operator does not wait longer for the database where a flag carries the abort. */
const LONGEST_RECORDING_MS = 2_000;
/** As the engine promises where it has seen no chunk yet. */
const CHUNKS = 1.5;
const MARGIN_MS = 500;

export interface AbortAnswer {
  readonly id: string;
  readonly state: BulkJobState;
  readonly stopsWithinMs: number;
  /** False: only the flag is set, and the wish is recorded later. */
  readonly recorded: boolean;
}

export interface AbortPorts {
  readonly store: Store;
  readonly queue: Queue<unknown>;
  readonly flags: AbortFlags;
  readonly late: LateAborts;
  /** Throws where there is no such job in the caller's scope. */
  readonly find: () => Promise<unknown>;
}

/** Of a job that did not run when it was aborted. */
const STATE_OF: Readonly<Record<Aborted["outcome"], BulkJobState>> = {
  aborted: "ABORTED",
  requested: "ABORTING",
  done: "COMPLETED",
};

/**
 * Aborts a bulk job. The flag is set first, before any statement of the abort: so a database in trouble, for which somebody aborts,
 * cannot keep the abort from its worker. Then the store records it; where that takes too long it goes on by itself.
 */
export async function abortBulkJob(
  ports: AbortPorts,
  id: string,
  decision: Decision,
  { tenantId, organizationId }: Scope,
): Promise<AbortAnswer> {
  const { store, queue, flags, late } = ports;
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
      // The answer tells what was asked of a running job, whether or not it has stopped meanwhile; its receipt tells that.
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
  late.keep(id, wish, recording, record);
  const stopsWithinMs = Math.ceil(queue.rules.timeout * CHUNKS) + MARGIN_MS;
  return { id, state: "ABORTING", stopsWithinMs, recorded: false };
}

/** Whether the worker met the flag, and recorded it, before the store was asked to. */
async function hasMetFlag(queue: Queue<unknown>, id: string, wish: FlaggedWish): Promise<boolean> {
  const abort = (await queue.bulkState(id))?.abort;
  return abort?.requestedAt === wish.requestedAt && abort.by === wish.by;
}

/** Undefined where it takes too long; it goes on. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
