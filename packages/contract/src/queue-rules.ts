import * as z from "zod";
import { allows } from "./allows.ts";
import { checkedOptions } from "./checked-options.ts";
import { duration, durationFrom } from "./duration.ts";
import { AndonError } from "./errors.ts";

/** What happens to the queue, or to the lanes of the job, when a job has finally failed. */
export const FAILURE_POLICIES = ["stop-queue", "hold-lane", "cancel-rest", "skip"] as const;
export type FailurePolicy = (typeof FAILURE_POLICIES)[number];

/** Whose fault an error is: this one job's, or that of the destination, which all jobs of the queue use. */
export type Fault = "job" | "destination";

const backoff = z.strictObject({
  type: z
    .enum(["exponential", "fixed"])
    .default("exponential")
    .describe("How the wait grows from attempt to attempt."),
  delay: duration.default(5_000).describe("The wait after the first failure."),
  max: duration.default(300_000).describe("The longest wait; exponential growth is capped here."),
  jitter: z.number().min(0).max(1).default(0).describe("Share of the wait that is drawn at random, 0 to 1."),
});

const stage = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-zA-Z0-9][\w.:-]{0,99}$/,
      allows("letters, digits, . : _ -, at most 100", "영문자, 숫자, . : _ -, 최대 100자"),
    )
    .describe("Its name. A job stores the names of its stages and shows the current one."),
  concurrency: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("How many jobs are in this stage at once over the whole fleet. Unset: no limit of its own."),
  timeout: duration
    .optional()
    .describe("How long an attempt of this stage may take. Unset: the queue's `timeout`."),
  attempts: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("How many failures of this stage are final. Unset: the queue's `attempts`."),
  backoff: backoff
    .optional()
    .describe("The wait between attempts of this stage. Unset: the queue's `backoff`."),
  rollBack: z
    .boolean()
    .default(false)
    .describe(
      "Whether the `rollBack` of its handler is called when a job that has completed this stage is cancelled.",
    ),
});

const limiter = z.strictObject({
  max: z.number().int().min(1).max(100_000).describe("How many jobs may start in one window."),
  duration: duration.describe("The length of the window."),
});

const keep = z.strictObject({
  done: duration.default(7 * 86_400_000).describe("How long done jobs are kept before they are purged."),
  ended: duration
    .default(30 * 86_400_000)
    .describe("The same for cancelled, skipped and resolved jobs. Failed and aborted jobs are never purged."),
});

/** Heartbeats come late on a busy machine: with a shorter lease a living worker would be taken for dead. */
const SHORTEST_LEASE_MS = 500;
/** Every sweep reads all running jobs. */
const SHORTEST_SWEEP_MS = 100;

/**
 * A queue's rules. This one schema makes the types, the check and the reference page (docs: reference/queue-rules.md).
 * `mode` presets `attempts`, `maxStalled`, `onFinalFailure` and `probe`, so these have no default here.
 */
export const queueRules = z.strictObject({
  mode: z
    .enum(["lanes", "per-file", "serial"])
    .default("lanes")
    .describe(
      "`lanes`: jobs of one key run in order, different keys in parallel (`per-file` means the same). `serial`: one job at a time over the whole fleet.",
    ),
  concurrency: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      "How many jobs of this queue run at once over the whole fleet. Unset: as many as the workers have places.",
    ),
  tenantConcurrency: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("How many jobs of one tenant run at once over the whole fleet. Unset: no limit per tenant."),
  fair: z
    .boolean()
    .optional()
    .describe(
      "Whether tenants share the queue fairly: the next free place goes to the tenant that runs the fewest jobs, not to the next job in line. Preset: true where `tenantConcurrency` is set.",
    ),
  limiter: limiter
    .optional()
    .describe("At most `max` starts in any window of `duration`, over the whole fleet. Unset: no limit."),
  stages: z
    .array(stage)
    .min(1)
    .max(100)
    .optional()
    .describe(
      "The stages of this queue's jobs, in their order, each with limits of its own. A job goes through all of them, or through those that it was added with. Not with `serial`. Unset: jobs have no stages.",
    ),
  attempts: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("After how many failed attempts the failure is final. Preset: 6, `serial` 3."),
  backoff: backoff.prefault({}).describe("The wait between attempts."),
  timeout: duration
    .default(30_000)
    .describe("How long an attempt may take before its signal is aborted. 0: no limit."),
  timeoutFrom: z
    .enum(["start", "progress"])
    .default("start")
    .describe("Whether the timeout counts from the start or from the last `ctx.progress`."),
  settleGrace: duration
    .default(5_000)
    .describe("How long an aborted handler may take to end. After that its place is given to another job."),
  lease: durationFrom(SHORTEST_LEASE_MS)
    .default(10_000)
    .describe(`How long a silent worker keeps its jobs. At least ${SHORTEST_LEASE_MS} ms.`),
  sweep: durationFrom(SHORTEST_SWEEP_MS)
    .default(3_000)
    .describe(
      `How often the jobs of silent workers are looked for and taken back. At least ${SHORTEST_SWEEP_MS} ms.`,
    ),
  maxStalled: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      "How often in a row workers may die on a job. With the next death it fails as `STALLED`. Preset: 5, `serial` 1.",
    ),
  onFinalFailure: z
    .union([
      z.enum(["auto", "stop-queue", "hold-lane", "hold-file", "cancel-rest", "skip"]),
      z.custom<FailurePolicyChooser>((value) => typeof value === "function", allows("a function", "함수")),
    ])
    .optional()
    .describe(
      "What a final failure does. `stop-queue` stops the queue. `hold-lane` (or `hold-file`) holds the job's lanes. `cancel-rest` cancels the jobs that wait in its own lane. `skip` goes on without the job. `auto`: `stop-queue` for a fault of the destination, else `hold-lane`. A function of the failure and the job returns one of these. Preset: `auto`, `serial` `stop-queue`.",
    ),
  classify: z
    .custom<Classifier>((value) => typeof value === "function", allows("a function", "함수"))
    .optional()
    .describe(
      "A function of `{ code, message, error }` that says whose fault an error is: `destination` or `job`. Default: `destination` for a thrown `DestinationDown`, else `job`.",
    ),
  probe: z
    .boolean()
    .optional()
    .describe(
      "Whether a fault of the destination makes the queue degraded: then only one job, the probe, tests the destination, and an outage costs only that job's attempts. Preset: true, `serial` false.",
    ),
  shareCommits: z
    .boolean()
    .default(false)
    .describe(
      "Whether the writes of several handlers that return `commit(…)` at the same time may share one transaction: faster for short writes. Only where all handlers lock rows in the same order: otherwise those of two processes deadlock.",
    ),
  stopReason: z.string().min(1).default("JOB_FAILED").describe("The reason of a stop by a failed job."),
  resumeRequiresResolution: z
    .boolean()
    .default(false)
    .describe(
      "Whether a resume is refused until every failed job is retried or skipped (`RESUME_UNRESOLVED`).",
    ),
  keep: keep.prefault({}).describe("How long ended jobs are kept."),
});

export interface FailureFacts {
  readonly code: string;
  readonly message: string;
  /** What the handler threw; absent where no handler threw, as for a stalled job. */
  readonly error?: unknown;
}
export type FailurePolicyChooser = (
  failure: FailureFacts & { fault: Fault },
  job: { id: string; name: string },
) => FailurePolicy | "auto";
export type StageRules = z.output<typeof stage>;
export type Classifier = (failure: FailureFacts) => Fault;

/** Rules as a caller writes them: everything optional, durations as numbers or strings. */
export type QueueRulesInput = z.input<typeof queueRules>;

type Parsed = z.output<typeof queueRules>;
/** Rules with every default filled in; durations in milliseconds. */
export type QueueRules = Omit<
  Parsed,
  "mode" | "attempts" | "maxStalled" | "onFinalFailure" | "probe" | "fair"
> & {
  mode: "lanes" | "serial";
  attempts: number;
  maxStalled: number;
  probe: boolean;
  fair: boolean;
  onFinalFailure: FailurePolicy | "auto" | FailurePolicyChooser;
};

const PRESETS = {
  lanes: { attempts: 6, maxStalled: 5, onFinalFailure: "auto", probe: true },
  serial: { attempts: 3, maxStalled: 1, onFinalFailure: "stop-queue", probe: false },
} as const;

export function parseQueueRules(queue: string, input: QueueRulesInput | undefined): QueueRules {
  const given = checkedOptions(`queue "${queue}"`, queueRules, input);
  const mode = given.mode === "serial" ? "serial" : "lanes";
  if (given.stages) checkStages(queue, mode, given.stages);
  const preset = PRESETS[mode];
  const policy = given.onFinalFailure ?? preset.onFinalFailure;
  return {
    ...given,
    mode,
    attempts: given.attempts ?? preset.attempts,
    maxStalled: given.maxStalled ?? preset.maxStalled,
    probe: given.probe ?? preset.probe,
    fair: given.fair ?? given.tenantConcurrency !== undefined,
    onFinalFailure: policy === "hold-file" ? "hold-lane" : policy,
    ...(mode === "serial" ? { concurrency: 1 } : {}),
  };
}

function checkStages(queue: string, mode: QueueRules["mode"], stages: readonly StageRules[]): void {
  const where = `queue "${queue}"`;
  if (mode === "serial")
    throw new AndonError("INVALID_OPTION", {
      where,
      option: "stages",
      given: { en: 'a list, with `mode: "serial"`', ko: '`mode: "serial"`과 함께 쓴 목록' },
      allowed: { en: "no stages in a serial queue", ko: "순차 큐에는 단계를 쓸 수 없음" },
    });
  const names = stages.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new AndonError("INVALID_OPTION", {
      where,
      option: "stages",
      given: twice,
      allowed: { en: "each name once", ko: "서로 다른 이름" },
    });
}
