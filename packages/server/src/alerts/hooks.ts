import {
  errorText,
  type FailurePolicy,
  type Job,
  type Language,
  type StopCertificate,
} from "@andon/contract";
import type { JobWords, QueueHooks, StoreTx } from "@andon/engine";
import { wordsOf } from "../operator/job-words.ts";
import { failedOutsideLanes, failureDetails, waitingJobs } from "./facts.ts";
import type { AlertLedger } from "./ledger.ts";
import { type AlertDraft, draftAlert, type FailureOccasion } from "./rules.ts";

export interface QueueOfAlerts {
  readonly name: string;
  /** What the alert of a failed job is called that holds lanes. */
  readonly heldAlert: string;
  /** What the alert of a failed job is called that holds none. */
  readonly failedAlert: string;
  /** Whether somebody is told of each job that is skipped: where skipping is what a queue is for, nobody wants to hear. */
  readonly tellsSkips: boolean;
  words(job: Job): JobWords;
}

/** What each policy's alert is about. The failure that stops a queue has the stop's; one after it holds its lanes. */
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

/** Alerts of one queue that are written in the transaction which they tell of. */
export function alertHooks(queue: QueueOfAlerts, ledger: AlertLedger, language: Language): QueueHooks {
  // The engine calls hooks with its own transaction; the type shows an app the part that it may use.
  const settled: QueueHooks["retried"] = (job, tx) =>
    ledger.resolveSubject(tx as StoreTx, queue.name, job.id);
  return {
    stopped: async (stop, tx) => {
      if (stop.kind === "hand") return;
      await ledger.fire(tx as StoreTx, await stopDraft(tx as StoreTx, queue, stop, language));
    },
    resumed: async (stop, tx) => {
      await ledger.resolveSubject(tx as StoreTx, queue.name, stop.id);
      // The others go on, but not those behind the job that stopped them: from here on it is told of by itself.
      const job = stop.jobId === null ? undefined : await (tx as StoreTx).job({ id: stop.jobId });
      if (job?.state === "failed" && job.keys.length > 0)
        await ledger.fire(tx as StoreTx, await failureDraft(tx as StoreTx, queue, job, "held", language));
      await fireForFailed(tx as StoreTx, queue, ledger, language);
    },
    failedFinally: async (job, { policy, hasStopped }, tx) => {
      const occasion = occasionOf(policy, job);
      const isUntold = occasion === "skipped" && !queue.tellsSkips;
      if (hasStopped || isUntold) return;
      // A line that stands has its own alert, and nothing of this job's is held.
      if (occasion === "failed" && (await ledger.hasOpen(tx as StoreTx, queue.name, "stopped"))) return;
      const draft = await failureDraft(tx as StoreTx, queue, job, occasion, language);
      // Nothing of a job that was skipped is left to be settled.
      if (occasion === "skipped") await ledger.fireResolved(tx as StoreTx, draft);
      else await ledger.fire(tx as StoreTx, draft);
    },
    // With the decision: the job may fail again at once, and that is an episode of its own.
    retried: settled,
    resolved: settled,
  };
}

/** Failed jobs that stand in no lane have an alert together, for as long as there are any and the line does not stand. */
export async function fireForFailed(
  tx: StoreTx,
  queue: QueueOfAlerts,
  ledger: AlertLedger,
  language: Language,
): Promise<void> {
  const job = await failedOutsideLanes(tx, queue.name);
  if (job) await ledger.fire(tx, await failureDraft(tx, queue, job, "failed", language));
}

/** The alert of a stop by failure: one per certificate. */
export async function stopDraft(
  tx: StoreTx,
  queue: QueueOfAlerts,
  stop: StopCertificate,
  language: Language,
): Promise<AlertDraft> {
  const job = stop.jobId === null ? undefined : await tx.job({ id: stop.jobId });
  const error = stop.error ? errorText(stop.error) : stop.reason;
  const pendingJobCount = await waitingJobs(tx, queue.name);
  const details = job
    ? failureDetails(job, wordsOf(queue.words, job), error, pendingJobCount)
    : { error, pendingJobCount, queue: queue.name };
  const type = `${stop.reason}_QUEUE_PAUSED`;
  const facts = { attempts: job?.attempts ?? 0 };
  return draftAlert("stopped", { type, queue: queue.name, subject: stop.id, details, facts }, language);
}

/**
 * The alert of a failed job: one, however many lanes it stands in. Jobs that stand in none hold nobody up, and there may be
 * thousands: they have one alert together.
 */
async function failureDraft(
  tx: StoreTx,
  queue: QueueOfAlerts,
  job: Job,
  occasion: FailureOccasion,
  language: Language,
): Promise<AlertDraft> {
  const [lane = job.id] = job.keys;
  const words = wordsOf(queue.words, job);
  const error = job.error ? errorText(job.error) : "";
  const pendingJobCount = await waitingJobs(tx, queue.name);
  const details = { ...failureDetails(job, words, error, pendingJobCount), lane };
  const facts = { attempts: job.attempts, name: words.name ?? lane };
  const type = occasion === "held" ? queue.heldAlert : queue.failedAlert;
  const subject = occasion === "failed" ? "" : job.id;
  return draftAlert(occasion, { type, queue: queue.name, subject, details, facts }, language);
}
