import type { Job, JobState } from "@andon/contract";
import {
  type Advance,
  type Claim,
  type Completion,
  type JobRow,
  keysOfLanes,
  LATEST_TIME,
  type LaneId,
} from "@andon/engine";

/** The columns of andon_job_states that make a JobRow. */
export const JOB_COLUMNS = `
  s.pos, s.id, s.ticket, s.queue, s.name, s.tenant, s.organization, s.lane_keys, s.seq, s.rank, s.payload, s.job_state, s.attempts,
  s.stalled, s.run_at, s.created_at, s.finished_at, s.cursor, s.progress, s.result, s.error_code, s.error_message, s.error_texts,
  s.fingerprint, s.resolved_by, s.resolved_at, s.resolution_note, s.trace_id, s.due_at,
  s.stage, s.stages, s.outputs, s.stage_started_at, s.stage_elapsed, s.cancel_actor, s.cancel_reason, s.awaits, s.arrivals,
  coalesce(s.running_worker, s.worker) as worker, coalesce(s.running_since, s.started_at) as started_at,
  coalesce(s.running_fence, s.fence) as fence`;

export interface RawJob {
  pos: number;
  id: string;
  ticket: number | null;
  queue: string;
  name: string;
  tenant: string;
  organization: string | null;
  lane_keys: string | null;
  seq: number | null;
  rank: number;
  payload: string;
  job_state: JobState;
  attempts: number;
  stalled: number;
  run_at: number | null;
  created_at: number;
  finished_at: number | null;
  cursor: string | null;
  progress: string | null;
  result: string | null;
  error_code: string | null;
  error_message: string | null;
  error_texts: string | null;
  fingerprint: string | null;
  resolved_by: string | null;
  resolved_at: number | null;
  resolution_note: string | null;
  trace_id: string | null;
  due_at: number | null;
  worker: string | null;
  started_at: number | null;
  fence: number;
  stage: string | null;
  stages: string | null;
  outputs: string | null;
  stage_started_at: number | null;
  stage_elapsed: number | null;
  cancel_actor: string | null;
  cancel_reason: string | null;
  awaits: string | null;
  arrivals: string | null;
}

export function jobRow(raw: RawJob): JobRow {
  return {
    pos: raw.pos,
    id: raw.id,
    ticket: String(raw.ticket ?? raw.pos),
    queue: raw.queue,
    name: raw.name,
    tenant: raw.tenant,
    organization: raw.organization,
    state: raw.job_state,
    keys: keysOfLanes(lanesIn(raw.lane_keys)),
    seq: raw.seq,
    priority: 0 - raw.rank,
    payload: JSON.parse(raw.payload),
    attempts: raw.attempts,
    stalled: raw.stalled,
    fence: raw.fence,
    cursor: json(raw.cursor),
    progress: json(raw.progress),
    result: json(raw.result),
    runAt: raw.job_state === "parked" ? raw.run_at : (raw.due_at ?? raw.run_at),
    createdAt: raw.created_at,
    startedAt: raw.started_at,
    finishedAt: raw.finished_at,
    worker: raw.worker,
    error:
      raw.error_code === null
        ? null
        : {
            code: raw.error_code,
            message: raw.error_message ?? "",
            fingerprint: raw.fingerprint ?? "",
            ...(raw.error_texts === null ? {} : { texts: JSON.parse(raw.error_texts) }),
          },
    resolution:
      raw.resolved_by === null
        ? null
        : { actor: raw.resolved_by, reason: raw.resolution_note, at: raw.resolved_at ?? 0 },
    traceId: raw.trace_id,
    awaits: awaitsOf(raw),
    stage: raw.stage,
    stages: stageList(raw.stages),
    outputs: membersIn(raw.outputs),
    stageStartedAt: raw.stage_started_at,
    stageElapsed: raw.stage_elapsed ?? 0,
    cancelling: cancellingOf(raw),
    arrivals: membersIn(raw.arrivals),
  };
}

/** A park without an expiry has the latest possible time as its due time. */
function awaitsOf({ job_state, awaits, due_at }: RawJob): JobRow["awaits"] {
  if (job_state !== "parked" || awaits === null) return null;
  return { event: awaits, until: due_at === LATEST_TIME ? null : due_at };
}

const NO_STAGES: readonly string[] = [];

type RawStages = Pick<
  RawJob,
  | "stage"
  | "stages"
  | "outputs"
  | "stage_started_at"
  | "stage_elapsed"
  | "cancel_actor"
  | "cancel_reason"
  | "arrivals"
>;

/** Most jobs of a queue have the same list, so the last one parsed is kept; each handler gets its own copy. */
let lastList: { readonly text: string; readonly stages: readonly string[] } = { text: "[]", stages: [] };

function stageList(text: string | null): string[] {
  if (text === null) return NO_STAGES as string[];
  if (text !== lastList.text) lastList = { text, stages: JSON.parse(text) };
  return [...lastList.stages];
}

function membersIn<T>(text: string | null): Record<string, T> {
  return text === null ? {} : JSON.parse(text);
}

function cancellingOf({ cancel_actor, cancel_reason }: RawStages): Job["cancelling"] {
  return cancel_actor === null ? null : { actor: cancel_actor, reason: cancel_reason };
}

/** What a claim reads of andon_jobs: a handler needs less than a reader does. */
const CLAIM_COLUMN_NAMES = [
  "pos",
  "id",
  "ticket",
  "name",
  "tenant",
  "organization",
  "lane_keys",
  "seq",
  "rank",
  "payload",
  "attempts",
  "stalled",
  "run_at",
  "created_at",
  "cursor",
  "trace_id",
  "share",
  "stage",
  "stages",
  "outputs",
  "stage_started_at",
  "stage_elapsed",
  "cancel_actor",
  "cancel_reason",
  "arrivals",
] as const;
export const CLAIM_COLUMNS = CLAIM_COLUMN_NAMES.map((name) => `j.${name}`).join(", ");

type ClaimColumn = (typeof CLAIM_COLUMN_NAMES)[number];

/** `share`: the share in which the job of a fairly shared queue counts. */
export type RawClaim = { share: string | null } & Pick<RawJob, Exclude<ClaimColumn, "share"> | "fence">;

const AT = Object.fromEntries(CLAIM_COLUMN_NAMES.map((name, index) => [name, index])) as Record<
  ClaimColumn,
  number
>;
/** The number of leading values in a row of a claim: CLAIM_COLUMNS and the fence. */
export const CLAIM_WIDTH = CLAIM_COLUMN_NAMES.length + 1;

/**
 * Converts a row that is an array. Spelled out: an object that is filled column by column becomes a hash table, 1.2 kB
 * each.
 */
export function rawClaimOf(values: readonly unknown[]): RawClaim {
  return {
    pos: values[AT.pos] as number,
    id: values[AT.id] as string,
    ticket: values[AT.ticket] as number | null,
    name: values[AT.name] as string,
    tenant: values[AT.tenant] as string,
    organization: values[AT.organization] as string | null,
    lane_keys: values[AT.lane_keys] as string | null,
    seq: values[AT.seq] as number | null,
    rank: values[AT.rank] as number,
    payload: values[AT.payload] as string,
    attempts: values[AT.attempts] as number,
    stalled: values[AT.stalled] as number,
    run_at: values[AT.run_at] as number | null,
    created_at: values[AT.created_at] as number,
    cursor: values[AT.cursor] as string | null,
    trace_id: values[AT.trace_id] as string | null,
    share: values[AT.share] as string | null,
    stage: values[AT.stage] as string | null,
    stages: values[AT.stages] as string | null,
    outputs: values[AT.outputs] as string | null,
    stage_started_at: values[AT.stage_started_at] as number | null,
    stage_elapsed: values[AT.stage_elapsed] as number | null,
    cancel_actor: values[AT.cancel_actor] as string | null,
    cancel_reason: values[AT.cancel_reason] as string | null,
    arrivals: values[AT.arrivals] as string | null,
    fence: values[CLAIM_WIDTH - 1] as number,
  };
}

export function claimOf(raw: RawClaim, queue: string, worker: string, now: number, isProbe = false): Claim {
  // Spelled out: spreading the stage members into every claimed job cost a worker as much as running it.
  const job: Job = {
    id: raw.id,
    ticket: String(raw.ticket ?? raw.pos),
    queue,
    name: raw.name,
    tenant: raw.tenant,
    organization: raw.organization,
    state: "running",
    keys: raw.lane_keys === null ? [] : keysOfLanes(lanesIn(raw.lane_keys)),
    seq: raw.seq,
    priority: 0 - raw.rank,
    payload: JSON.parse(raw.payload),
    attempts: raw.attempts,
    cursor: json(raw.cursor),
    progress: null,
    result: null,
    runAt: raw.run_at,
    createdAt: raw.created_at,
    startedAt: now,
    finishedAt: null,
    worker,
    error: null,
    resolution: null,
    traceId: raw.trace_id,
    awaits: null,
    stage: raw.stage,
    stages: stageList(raw.stages),
    outputs: membersIn(raw.outputs),
    cancelling: cancellingOf(raw),
  };
  return {
    pos: raw.pos,
    fence: raw.fence,
    stalled: raw.stalled,
    job,
    isProbe,
    progress: null,
    stageStartedAt: raw.stage_started_at,
    stageElapsed: raw.stage_elapsed ?? 0,
    arrivals: membersIn(raw.arrivals),
    stored: raw.stages === null ? null : raw,
  };
}

/**
 * The claim of a job's next stage: the claim of the stage that ends, with what advancing writes. A handler sees nothing
 * else of a running job that can change. Its share may change, and the server reads that itself.
 */
export function nextClaimOf({ fence, advance }: Completion): RawClaim {
  const { stage, outputs, stored } = advance as Advance;
  const raw = stored as RawClaim;
  return {
    pos: raw.pos,
    id: raw.id,
    ticket: raw.ticket,
    name: raw.name,
    tenant: raw.tenant,
    organization: raw.organization,
    lane_keys: raw.lane_keys,
    seq: raw.seq,
    rank: raw.rank,
    payload: raw.payload,
    attempts: 0,
    stalled: 0,
    run_at: raw.run_at,
    created_at: raw.created_at,
    cursor: null,
    trace_id: raw.trace_id,
    share: raw.share,
    stage,
    stages: raw.stages,
    outputs,
    stage_started_at: null,
    stage_elapsed: null,
    cancel_actor: null,
    cancel_reason: null,
    arrivals: raw.arrivals,
    fence: fence + 1,
  };
}

/** Parses the column andon_jobs.lane_keys, which has ids of lanes, not plain keys. */
export function lanesIn(text: string | null): LaneId[] {
  return text === null ? [] : JSON.parse(text);
}

function json(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}
