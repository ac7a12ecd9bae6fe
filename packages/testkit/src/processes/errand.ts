import type { Job, QueueRulesInput } from "@andon/contract";
import {
  commit,
  DestinationDown,
  type Handler,
  type HandlerContext,
  JobAborted,
  Snooze,
  type StageHandlers,
  Unretryable,
} from "@andon/engine";
import type { Entry, Ledger } from "./ledger.ts";

/** The instructions for the handler in a job's payload. */
export interface Errand {
  readonly n: number;
  /** The time it takes, in milliseconds, whatever its signal says. */
  readonly ms?: number;
  /** The same while blocking the whole process: nothing else runs meanwhile, not even a beat. */
  readonly block?: number;
  /** How many attempts throw before one succeeds. */
  readonly failures?: number;
  /** How many attempts find the destination down before one succeeds. */
  readonly sick?: number;
  /** Snoozes once for this time. */
  readonly snooze?: number;
  /** Ends its whole process like a crash. */
  readonly crash?: boolean;
  /** Throws an error that is not retryable. */
  readonly final?: boolean;
  /** The number of checkpoints, with one effect each. */
  readonly steps?: number;
  /** Waits for its signal the first time, and ends at once the second time. */
  readonly untilAborted?: boolean;
  /** Tries to save a checkpoint at its end. */
  readonly lateCheckpoint?: boolean;
  /** Waits for this event in its last stage, or if it has no stages; for `parkFor` milliseconds, or without a limit. */
  readonly park?: string;
  readonly parkFor?: number;
  /** How many roll-backs of a stage throw before one succeeds. */
  readonly undoFailures?: number;
  /** Writes into `andon_test_effects` together with its completion. */
  readonly writes?: boolean;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A handler that runs errands and notes its steps in the ledger. A `quick` one ends each errand at once. */
function errandHandler(ledger: Ledger, queue: string, quick: boolean): Handler<Errand> {
  return async (job, context) => {
    const { n, writes } = job.payload;
    const errand: Errand = quick ? { n, ...(writes ? { writes } : {}) } : job.payload;
    const about = { queue, job: runOf(job), n: errand.n, keys: job.keys, attempt: context.attempt };
    const note = (what: Entry["what"], detail = "") => ledger.note({ ...about, what, detail });
    note("start");
    context.signal.addEventListener("abort", () => note("aborted", causeOf(context.signal)));
    for (let step = Number(job.cursor ?? 0); step < (errand.steps ?? 0); step++) {
      note("step", String(step));
      if (errand.ms) await sleep(errand.ms);
      await context.checkpoint(step + 1);
    }
    if (errand.crash) process.kill(process.pid, "SIGKILL");
    if (errand.snooze && job.cursor === null) {
      await context.checkpoint("snoozed");
      note("threw", "snoozed");
      throw new Snooze(errand.snooze);
    }
    if (errand.park && job.stages.at(-1) === (job.stage ?? undefined) && !context.arrival(errand.park)) {
      note("threw", "parked");
      context.park(errand.park, { until: errand.parkFor === undefined ? undefined : `${errand.parkFor}ms` });
    }
    if (errand.untilAborted && job.cursor === null) await waitForAbort(context);
    if (errand.block) {
      // Jobs claimed together start first: none is started after its lease is over.
      await new Promise((resolve) => setImmediate(resolve));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, errand.block);
    }
    if (errand.ms && !errand.steps) await sleep(errand.ms);
    if (errand.lateCheckpoint) {
      await context.checkpoint("late").catch((error: { code?: string }) => {
        note("refused", error.code);
        throw error;
      });
    }
    if (context.attempt <= (errand.sick ?? 0)) {
      note("threw", "sick");
      throw new DestinationDown(`errand ${errand.n} finds nobody there`);
    }
    if (errand.final || context.attempt <= (errand.failures ?? 0)) {
      note("threw");
      throw new (errand.final ? Unretryable : Error)(`errand ${errand.n} fails on purpose`);
    }
    note("end");
    const result = { by: process.pid };
    if (!errand.writes) return result;
    return commit(async (tx) => {
      await tx.query("insert into andon_test_effects (job_id, pid) values ($1, $2)", [job.id, process.pid]);
    }, result);
  };
}

/** Each stage of a job is a run of its own, and so is its roll-back. */
function runOf({ id, stage, cancelling }: Job): string {
  return stage === null ? id : `${id} ${stage}${cancelling ? " back" : ""}`;
}

/** The handlers of a queue: one for all, or one per stage, with its roll-back if the rules have any. */
export function errandHandlers(
  ledger: Ledger,
  queue: string,
  quick: boolean,
  rules: QueueRulesInput = {},
): Handler<Errand> | StageHandlers<Errand> {
  const run = errandHandler(ledger, queue, quick);
  if (!rules.stages?.some(({ rollBack }) => rollBack)) return run;
  const back = rollBackHandler(ledger, queue, quick);
  return Object.fromEntries(
    rules.stages.map((stage) => [stage.name, stage.rollBack ? { run, rollBack: back } : run]),
  );
}

function rollBackHandler(ledger: Ledger, queue: string, quick: boolean): Handler<Errand> {
  return (job, { attempt }) => {
    const { n, undoFailures = 0, writes } = job.payload;
    const about = { queue, job: runOf(job), n, keys: job.keys, attempt };
    ledger.note({ ...about, what: "start" });
    const fails = !quick && attempt <= undoFailures;
    ledger.note({ ...about, what: fails ? "threw" : "end" });
    if (fails) throw new Error(`errand ${n} cannot be taken back yet`);
    if (!writes) return null;
    return commit(async (tx) => {
      await tx.query("insert into andon_test_effects (job_id, pid) values ($1, $2)", [job.id, process.pid]);
    });
  };
}

/** Saves a checkpoint first, so that the next worker does not wait again. */
async function waitForAbort(context: HandlerContext): Promise<never> {
  await context.checkpoint("waited");
  await new Promise((resolve) => context.signal.addEventListener("abort", resolve, { once: true }));
  throw new Error("left on request");
}

function causeOf(signal: AbortSignal): string {
  return signal.reason instanceof JobAborted ? signal.reason.cause : String(signal.reason);
}
