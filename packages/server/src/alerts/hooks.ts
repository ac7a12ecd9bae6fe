import type { JobDescription } from "@andon/app";
import { errorText, type FailurePolicy, type Job, type StopCertificate } from "@andon/contract";
import type { QueueHooks, StoreTx } from "@andon/engine";
import { describeJob } from "../operator/describe-job.ts";
import { errorTexts, failureDetails, waitingIn } from "./facts.ts";
import type { AlertLedger } from "./ledger.ts";
import { type AlertDraft, draftAlert, type FailureOccasion } from "./rules.ts";

export interface QueueOfAlerts {
  readonly name: string;
  /** The alert type for failed jobs that hold lanes. */
  readonly heldAlert: string;
  /** The alert type for failed jobs that hold no lane. */
  readonly failedAlert: string;
  /** Whether a skip after a failure fires an alert. A queue that is meant to skip failed jobs fires none. */
  readonly alertsOnSkip: boolean;
  describe(job: Job): JobDescription;
}

/** The occasion of each policy's alert. A failure that stops a queue has the alert of the stop; a later one holds its lanes. */
const OCCASIONS: Readonly<Record<FailurePolicy, FailureOccasion>> = {
  "stop-queue": "held",
  "hold-lane": "held",
  "cancel-rest": "restCancelled",
  skip: "skipped",
};

function occasionOf(policy: FailurePolicy, job: Job): FailureOccasion {
  const occasion = OCCASIONS[policy];
  return occasion === "held" && job.keys.length === 0 ? "failed" : occasion;
}

/** Alerts of one queue, each written in the transaction that it reports. */
export function alertHooks(queue: QueueOfAlerts, ledger: AlertLedger): QueueHooks {
  // The engine passes its own transaction. The type of the hooks shows only the part that apps may use.
  return {
    stopped: async (stop, tx) => {
      if (stop.kind === "hand") return;
      await ledger.fire(tx as StoreTx, await stopDraft(tx as StoreTx, queue, stop));
    },
    resumed: async (stop, tx) => {
      await ledger.resolveSubject(tx as StoreTx, queue.name, stop.id);
      // Other lanes continue, but jobs behind the failed job stay held: from now on the failed job has its own alert.
      const job = stop.jobId === null ? undefined : await (tx as StoreTx).job({ id: stop.jobId });
      if (job?.state === "failed" && job.keys.length > 0)
        await ledger.fire(tx as StoreTx, await failureDraft(tx as StoreTx, queue, job, "held"));
      await fireForLanelessFailures(tx as StoreTx, queue, ledger);
    },
    failedFinally: async (job, { policy, hasStopped }, tx) => {
      const occasion = occasionOf(policy, job);
      const isSilentSkip = occasion === "skipped" && !queue.alertsOnSkip;
      if (hasStopped || isSilentSkip) return;
      // A stopped queue has its own alert, and this job holds no lane.
      if (occasion === "failed" && (await ledger.hasOpen(tx as StoreTx, queue.name, "stopped"))) return;
      await ledger.fire(tx as StoreTx, await failureDraft(tx as StoreTx, queue, job, occasion));
    },
    // Written with the decision, because the job may fail again at once, which is a new episode.
    failuresSettled: async (jobs, tx) => {
      const causes = new Map<string, number>();
      for (const job of jobs) causes.set(causeOf(job), (causes.get(causeOf(job)) ?? 0) + 1);
      for (const [cause, count] of causes) await ledger.settle(tx as StoreTx, queue.name, cause, count);
    },
    // The job is cancelled anyway, so no later decision would resolve this alert: it is resolved as it fires.
    rollBackFailed: async (job, stage, tx) => {
      await ledger.fireResolved(tx as StoreTx, await rollBackDraft(tx as StoreTx, queue, job, stage));
    },
  };
}

async function rollBackDraft(
  tx: StoreTx,
  queue: QueueOfAlerts,
  job: Job,
  stage: string,
): Promise<AlertDraft> {
  const described = describeJob(queue.describe, job);
  const pendingJobCount = waitingIn(await tx.counts(queue.name));
  const error = job.error ? errorText(job.error) : "";
  const details = { ...failureDetails(job, described, error, pendingJobCount), stage };
  const facts = { name: described.name ?? job.id, error: errorTexts(job.error) };
  const subject = `${job.id} ${stage}`;
  return draftAlert("rollBackFailed", {
    type: "ROLL_BACK_FAILED",
    queue: queue.name,
    subject,
    details,
    facts,
  });
}

/** The most groups of failed jobs without a lane that get an alert after a resume. */
const MOST_GROUPS = 500;

/** Alerts about failed jobs without a lane. While the queue was stopped, they had none. */
async function fireForLanelessFailures(
  tx: StoreTx,
  queue: QueueOfAlerts,
  ledger: AlertLedger,
): Promise<void> {
  const groups = await tx.failures.withoutLane(queue.name, MOST_GROUPS);
  for (const { newest, count } of groups.sort((a, b) => a.newest - b.newest)) {
    const job = await tx.job({ pos: newest });
    if (!job) continue;
    const draft = await failureDraft(tx, queue, job, "failed", count);
    if (!(await ledger.isOpen(tx, draft))) await ledger.fire(tx, draft);
  }
}

/** The alert of a stop by failure: one per certificate. */
export async function stopDraft(
  tx: StoreTx,
  queue: QueueOfAlerts,
  stop: StopCertificate,
): Promise<AlertDraft> {
  const job = stop.jobId === null ? undefined : await tx.job({ id: stop.jobId });
  const pendingJobCount = waitingIn(await tx.counts(queue.name));
  const error = stop.error ? errorText(stop.error) : stop.reason;
  const details = job
    ? failureDetails(job, describeJob(queue.describe, job), error, pendingJobCount)
    : { error, pendingJobCount, queue: queue.name };
  const type = `${stop.reason}_QUEUE_PAUSED`;
  const facts = { attempts: job?.attempts ?? 0, error: errorTexts(stop.error) };
  return draftAlert("stopped", { type, queue: queue.name, subject: stop.id, details, facts });
}

/** The cause by which failed jobs share an alert. */
function causeOf({ error }: Job): string {
  return error?.fingerprint ?? "";
}

/** The alert about failed jobs: one per cause, however many jobs and lanes it has. It describes the last job. */
async function failureDraft(
  tx: StoreTx,
  queue: QueueOfAlerts,
  job: Job,
  occasion: FailureOccasion,
  count = 1,
): Promise<AlertDraft> {
  const [lane = job.id] = job.keys;
  const described = describeJob(queue.describe, job);
  const pendingJobCount = waitingIn(await tx.counts(queue.name));
  const error = job.error ? errorText(job.error) : "";
  const details = { ...failureDetails(job, described, error, pendingJobCount), lane, cause: causeOf(job) };
  const facts = { attempts: job.attempts, name: described.name ?? lane, error: errorTexts(job.error) };
  const type = occasion === "held" ? queue.heldAlert : queue.failedAlert;
  return draftAlert(occasion, { type, queue: queue.name, subject: causeOf(job), details, facts, count });
}
