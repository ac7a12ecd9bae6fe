import type { FileflowWords } from "../i18n/en.ts";
import type { MetricSamples } from "./metric-samples.ts";

type Words = FileflowWords["metrics"];

export interface Figure {
  readonly name: keyof Words["figure"];
  readonly of: (samples: MetricSamples) => number | undefined;
  /** Default: a count. */
  readonly unit?: "ms" | "share";
  /** True: any value but 0 needs attention. */
  readonly isBad?: true;
}

const total = (name: string, label?: string, is?: string) => (samples: MetricSamples) =>
  samples.sum(name, label, is);
const mean = (sum: string, count: string) => (samples: MetricSamples) => samples.mean(sum, count);

const P95 = 0.95;

/** The source of each figure. */
export const FIGURE_GROUPS: readonly { group: keyof Words["group"]; figures: readonly Figure[] }[] = [
  {
    group: "executions",
    figures: [
      { name: "pending", of: total("fileflow_pending") },
      { name: "running", of: total("fileflow_running") },
      { name: "successRate", of: total("fileflow_success_ratio"), unit: "share" },
      { name: "completed", of: total("fileflow_executions_ended_total", "status", "COMPLETED") },
      { name: "failed", of: total("fileflow_executions_ended_total", "status", "FAILED"), isBad: true },
      { name: "timedOut", of: total("fileflow_executions_ended_total", "status", "TIMEOUT"), isBad: true },
      { name: "cancelled", of: total("fileflow_executions_ended_total", "status", "CANCELLED") },
    ],
  },
  {
    group: "ingest",
    figures: [
      { name: "consumed", of: total("fileflow_events_consumed_total", "outcome", "ok") },
      {
        name: "consumeFailed",
        of: total("fileflow_events_consumed_total", "outcome", "failed"),
        isBad: true,
      },
      { name: "created", of: total("fileflow_executions_created_total") },
      {
        name: "creationDelay",
        of: mean("fileflow_creation_delay_ms_total", "fileflow_creation_delay_count"),
        unit: "ms",
      },
      { name: "pickedUp", of: total("fileflow_picked_up_total") },
      {
        name: "pickUpDelay",
        of: mean("fileflow_pick_up_delay_ms_total", "fileflow_picked_up_total"),
        unit: "ms",
      },
      { name: "putOff", of: total("fileflow_receives_put_off_total") },
    ],
  },
  {
    group: "publishing",
    figures: [
      { name: "received", of: total("fileflow_extractions_received_total", "outcome", "ok") },
      { name: "duplicates", of: total("fileflow_extractions_received_total", "outcome", "duplicate") },
      {
        name: "publishDelay",
        of: mean("fileflow_publish_delay_ms_total", "fileflow_publish_delay_count"),
        unit: "ms",
      },
    ],
  },
  {
    group: "deadLetters",
    figures: [
      { name: "dead", of: total("fileflow_dlq", "state", "DEAD"), isBad: true },
      { name: "quarantined", of: total("fileflow_dlq", "state", "QUARANTINED"), isBad: true },
      { name: "redriven", of: total("fileflow_redrives_total", "outcome", "ok") },
      { name: "deadAgain", of: total("fileflow_redrives_total", "outcome", "dead-again") },
      { name: "discarded", of: total("fileflow_discards_total") },
    ],
  },
  {
    group: "operators",
    figures: [
      { name: "cancels", of: total("fileflow_cancels_total", "outcome", "accepted") },
      { name: "cancelsRefused", of: total("fileflow_cancels_total", "outcome", "refused") },
      {
        name: "cancelTime",
        of: mean("fileflow_cancel_duration_ms_total", "fileflow_cancel_duration_count"),
        unit: "ms",
      },
      { name: "retries", of: total("fileflow_manual_retries_total", "outcome", "accepted") },
      { name: "retriesSucceeded", of: total("fileflow_manual_retries_total", "outcome", "succeeded") },
      { name: "retriesFailed", of: total("fileflow_manual_retries_total", "outcome", "failed-again") },
    ],
  },
  {
    group: "reads",
    figures: [
      { name: "readsAllowed", of: total("fileflow_reads_total", "outcome", "allowed") },
      { name: "readsDenied", of: total("fileflow_reads_total", "outcome", "denied"), isBad: true },
      {
        name: "readTime",
        of: (samples) => samples.quantile("fileflow_read_duration_ms_bucket", P95),
        unit: "ms",
      },
    ],
  },
];
