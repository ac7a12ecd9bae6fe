import type { Job } from "@andon/contract";
import type { JobRow } from "../ports/store.ts";

/** A job without the members that only the engine needs. */
export function publicJob(row: JobRow): Job {
  const {
    pos: _pos,
    fence: _fence,
    stalled: _stalled,
    stageStartedAt: _startedAt,
    stageElapsed: _elapsed,
    arrivals: _arrivals,
    ...job
  } = row;
  return job;
}
