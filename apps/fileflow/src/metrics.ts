import type { AppMetric } from "@andon/app";
import { DLQ_STATES, EXECUTION_STATUSES } from "./contract/states.ts";
import type { DeadLetters } from "./dlq/dead-letters.ts";
import { READ_BUCKETS } from "./executions/serve-executions.ts";
import type { Figures } from "./figures.ts";
import { EXECUTION_QUEUE, type FileflowContext } from "./fileflow-context.ts";

interface Counter {
  readonly metric: string;
  readonly help: string;
  /** The name of the label. Default: none. */
  readonly label?: string;
}

/** Counters, by their names in the store. */
const COUNTERS: Readonly<Record<string, Counter>> = {
  consumed: { metric: "fileflow_events_consumed_total", help: "Events taken, by outcome.", label: "outcome" },
  created: { metric: "fileflow_executions_created_total", help: "Executions created from events." },
  creation_delay_ms: {
    metric: "fileflow_creation_delay_ms_total",
    help: "Time from event to execution, summed up.",
  },
  creation_delay_count: { metric: "fileflow_creation_delay_count", help: "Executions in that sum." },
  pick_up_ms: {
    metric: "fileflow_pick_up_delay_ms_total",
    help: "Time from creation to the first stage, summed up.",
  },
  pick_up_count: { metric: "fileflow_picked_up_total", help: "Executions whose first stage has started." },
  conflicts: {
    metric: "fileflow_pick_up_conflicts_total",
    help: "Stages whose claim another worker took over while they ran.",
  },
  retries: {
    metric: "fileflow_stage_retries_total",
    help: "Attempts of a stage after its first one.",
    label: "stage",
  },
  drops: {
    metric: "fileflow_receives_put_off_total",
    help: "Receives put off since there was no room.",
    label: "cause",
  },
  ended: {
    metric: "fileflow_executions_ended_total",
    help: "Executions that have ended, by status.",
    label: "status",
  },
  failures: { metric: "fileflow_failures_total", help: "Failed executions by error code.", label: "code" },
  stage_ended: {
    metric: "fileflow_stages_ended_total",
    help: "Stages that have ended: `stage:outcome`.",
    label: "stage",
  },
  stage_ms: {
    metric: "fileflow_stage_duration_ms_total",
    help: "Time of completed stages, summed up.",
    label: "stage",
  },
  stage_count: { metric: "fileflow_stage_duration_count", help: "Stages in that sum.", label: "stage" },
  published: {
    metric: "fileflow_extractions_received_total",
    help: "Extraction events received: new or duplicates.",
    label: "outcome",
  },
  publish_delay_ms: {
    metric: "fileflow_publish_delay_ms_total",
    help: "Time from publishing to receipt, summed up.",
  },
  publish_delay_count: { metric: "fileflow_publish_delay_count", help: "Events in that sum." },
  targets: {
    metric: "fileflow_published_total",
    help: "Extraction events sent to targets: `target:outcome`.",
    label: "target",
  },
  reads: {
    metric: "fileflow_reads_total",
    help: "Reads of executions, allowed and denied.",
    label: "outcome",
  },
  cancels: { metric: "fileflow_cancels_total", help: "Cancels, accepted and refused.", label: "outcome" },
  cancel_ms: { metric: "fileflow_cancel_duration_ms_total", help: "Time from cancel to its end, summed up." },
  cancel_count: { metric: "fileflow_cancel_duration_count", help: "Cancels in that sum." },
  manual_retries: {
    metric: "fileflow_manual_retries_total",
    help: "Retries by hand: accepted, succeeded, and failed again.",
    label: "outcome",
  },
  dead_letters: { metric: "fileflow_dead_letters_total", help: "Dead letters by error.", label: "error" },
  redrives: {
    metric: "fileflow_redrives_total",
    help: "Redriven dead letters: ok, or dead again.",
    label: "outcome",
  },
  discards: { metric: "fileflow_discards_total", help: "Discarded dead letters." },
};

const EVERYBODY = { tenantId: null, organizationId: null };

export async function metricsOf(
  context: FileflowContext,
  figures: Figures,
  letters: DeadLetters,
): Promise<AppMetric[]> {
  const all = await figures.all();
  const { counts } = await context.queue(EXECUTION_QUEUE).status();
  const dead = await letters.countsByState(EVERYBODY);
  const counters = Object.entries(COUNTERS).map(([name, { metric, help, label }]): AppMetric => {
    const own = all.filter((figure) => figure.name === name);
    const values = own.map((figure) => ({
      ...(label === undefined ? {} : { labels: { [label]: figure.label } }),
      value: figure.value,
    }));
    return {
      name: metric,
      help,
      type: "counter",
      values: values.length > 0 || label ? values : [{ value: 0 }],
    };
  });
  const ended = (status: string) =>
    all.find(({ name, label }) => name === "ended" && label === status)?.value ?? 0;
  const total = EXECUTION_STATUSES.reduce((sum, status) => sum + ended(status), 0);
  return [
    {
      name: "fileflow_pending",
      help: "Executions that wait for a place.",
      type: "gauge",
      values: [{ value: counts.ready + counts.blocked + counts.scheduled }],
    },
    {
      name: "fileflow_running",
      help: "Executions at work.",
      type: "gauge",
      values: [{ value: counts.running + counts.parked }],
    },
    {
      name: "fileflow_success_ratio",
      help: "Completed executions among those that have ended.",
      type: "gauge",
      values: [{ value: total === 0 ? 1 : ended("COMPLETED") / total }],
    },
    {
      name: "fileflow_dlq",
      help: "Dead letters by state. Counting stops at 10,001.",
      type: "gauge",
      values: DLQ_STATES.map((state) => ({ labels: { state }, value: dead[state] })),
    },
    ...counters,
    readTimes(all),
  ];
}

/** A histogram of reads: how many took at most this many milliseconds. */
function readTimes(all: readonly { name: string; label: string; value: number }[]): AppMetric {
  const of = (label: string) =>
    all.find((figure) => figure.name === "read_ms" && figure.label === label)?.value ?? 0;
  let sum = 0;
  const values = [...READ_BUCKETS.map(String), "+Inf"].map((le) => {
    sum += of(le);
    return { labels: { le }, value: sum };
  });
  return {
    name: "fileflow_read_duration_ms_bucket",
    help: "Reads of executions by duration.",
    type: "counter",
    values,
  };
}
