import type { Job } from "@andon/contract";
import type { JobRow } from "../ports/store.ts";

/** A job without what only the engine needs of it. */
export function publicJob({ pos: _pos, fence: _fence, stalled: _stalled, ...job }: JobRow): Job {
  return job;
}
