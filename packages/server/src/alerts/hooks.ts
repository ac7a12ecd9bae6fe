import type { Job, Language, StopCertificate } from "@andon/contract";
import type { JobWords, QueueHooks, StoreTx } from "@andon/engine";
import { plainWords } from "../operator/job-words.ts";
import { failureDetails, waitingJobs } from "./facts.ts";
import type { AlertLedger } from "./ledger.ts";
import { type AlertDraft, draftAlert } from "./rules.ts";

export interface QueueOfAlerts {
  readonly name: string;
  /** What the alert of a held lane is called. */
  readonly heldAlert: string;
  words(job: Job): JobWords;
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
    resumed: async (stop, tx) => ledger.resolveSubject(tx as StoreTx, queue.name, stop.id),
    held: async (lane, job, tx) => {
      const own = job.keys[0] ?? lane.key;
      await ledger.fire(tx as StoreTx, await heldDraft(tx as StoreTx, queue, job, own, language));
    },
    // With the decision: the job may fail again at once, and that is an episode of its own.
    retried: settled,
    resolved: settled,
  };
}

/** The alert of a stop by failure: one per certificate. */
export async function stopDraft(
  tx: StoreTx,
  queue: QueueOfAlerts,
  stop: StopCertificate,
  language: Language,
): Promise<AlertDraft> {
  const job = stop.jobId === null ? undefined : await tx.job({ id: stop.jobId });
  const error = stop.error?.message ?? stop.reason;
  const pendingJobCount = await waitingJobs(tx, queue.name);
  const details = job
    ? failureDetails(job, wordsOf(queue, job), error, pendingJobCount)
    : { error, pendingJobCount, queue: queue.name };
  const type = `${stop.reason}_QUEUE_PAUSED`;
  const facts = { attempts: job?.attempts ?? 0 };
  return draftAlert("stopped", { type, queue: queue.name, subject: stop.id, details, facts }, language);
}

/** The alert of held lanes: one per failed job, however many lanes it stands in. */
async function heldDraft(
  tx: StoreTx,
  queue: QueueOfAlerts,
  told: Job,
  lane: string,
  language: Language,
): Promise<AlertDraft> {
  // As it is stored by now, with the attempt that has just failed.
  const job = (await tx.job({ id: told.id })) ?? told;
  const error = told.error?.message ?? "";
  const pendingJobCount = await waitingJobs(tx, queue.name);
  const details = { ...failureDetails(job, wordsOf(queue, job), error, pendingJobCount), lane };
  const facts = { attempts: job.attempts };
  return draftAlert(
    "held",
    { type: queue.heldAlert, queue: queue.name, subject: job.id, details, facts },
    language,
  );
}

/** An app's words that throw must not be why its queue cannot stop. */
function wordsOf(queue: QueueOfAlerts, job: Job): JobWords {
  try {
    return queue.words(job);
  } catch {
    return plainWords(job);
  }
}
