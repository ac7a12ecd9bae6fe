import { localTime, type Output } from "@andon/cli/app";
import type { Answer } from "@andon/client";
import type { BROADCAST_ROUTES } from "../contract/routes.ts";
import { BULK } from "./i18n.ts";

export type BulkJob = Answer<(typeof BROADCAST_ROUTES)["bulkJobs"]["show"]>;

const COLOURS = { RUNNING: "green", ABORTING: "yellow", ABORTED: "yellow", FAILED: "red" } as const;

export function colourOfState(state: BulkJob["state"]) {
  return (COLOURS as Partial<Record<BulkJob["state"], "green" | "yellow" | "red">>)[state];
}

export const timeOrDash = (at: string | null) => (at === null ? "-" : localTime(at));

export function progressOf({ processed, total }: Pick<BulkJob, "processed" | "total">): string {
  const share = total ? ` (${Math.floor((processed / total) * 100)} %)` : "";
  return `${processed}/${total ?? "?"}${share}`;
}

export function throttleText(out: Output, { pauseMs, maxPerSecond }: BulkJob["throttle"]): string {
  return out.say(BULK.throttleOf, { pause: pauseMs, most: maxPerSecond ?? out.say(BULK.noCeiling) });
}

/** One bulk job for people. */
export function shownJob(out: Output, job: BulkJob): string {
  const { abort, receipt } = job;
  return out.list([
    [out.say(BULK.id), job.id],
    [out.say(BULK.category), job.category],
    [out.say(BULK.title), job.title],
    [out.say(BULK.state), job.state, colourOfState(job.state)],
    [out.say(BULK.progress), progressOf(job)],
    [out.say(BULK.cursor), job.cursor],
    [out.say(BULK.rate), job.ratePerSecond],
    [out.say(BULK.endsAt), timeOrDash(job.estimatedEndAt)],
    [out.say(BULK.scheduled), timeOrDash(job.scheduledAt)],
    [out.say(BULK.chunkSize), job.chunkSize],
    [out.say(BULK.throttle), throttleText(out, job.throttle)],
    [out.say(BULK.error), job.error, "red"],
    [out.say(BULK.abort), abort && `${abort.by}, ${localTime(abort.requestedAt)}: ${abort.reason ?? "-"}`],
    [
      out.say(BULK.receipt),
      receipt &&
        out.say(BULK.receiptOf, {
          outcome: receipt.outcome,
          at: localTime(receipt.stoppedAt),
          processed: receipt.processed,
          total: receipt.total ?? "?",
          cursor: receipt.cursor ?? "-",
        }),
    ],
  ]);
}
