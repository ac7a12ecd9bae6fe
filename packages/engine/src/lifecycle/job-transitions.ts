import { AndonError, type JobState } from "@andon/contract";

/** One arrow: the states that it leads from, the states that it leads to, and why it exists. */
interface Arrow {
  readonly from: readonly JobState[];
  readonly to: readonly JobState[];
  readonly why: string;
}

/**
 * Every arrow of a job's life. The guards, the diagram in the docs and the property tests derive from this table; the
 * SQL of the hot verbs takes its state words from it. Where `to` has two states, the lanes decide: a job is `ready`
 * when it is the head of all of its lanes and none of them is held, else `blocked`.
 */
export const JOB_TRANSITIONS = {
  due: {
    from: ["scheduled"],
    to: ["ready", "blocked"],
    why: "its time has come: it joins its lanes now, and not before",
  },
  admit: { from: ["blocked"], to: ["ready"], why: "it became the head of every one of its lanes" },
  block: { from: ["ready", "scheduled"], to: ["blocked"], why: "an operator held its lane" },
  claim: { from: ["ready"], to: ["running"], why: "a worker has a free place and the queue is open" },
  complete: { from: ["running"], to: ["done"], why: "the handler succeeded and the claim was still valid" },
  advance: {
    from: ["running"],
    to: ["ready", "blocked"],
    why: "its stage is completed and another follows: the same row goes back in line at the same place, with fresh attempts",
  },
  park: {
    from: ["running"],
    to: ["parked", "ready", "blocked"],
    why: "its handler waits for an event from outside, and its place in the worker is free for others; if the event has already arrived, the job goes back in line",
  },
  arrive: {
    from: ["parked"],
    to: ["ready", "blocked"],
    why: "the event that it waited for has arrived: same place in its lanes, no attempt charged",
  },
  expire: { from: ["parked"], to: ["failed"], why: "the event that it waited for did not arrive in time" },
  rollBack: {
    from: ["running", "parked"],
    to: ["ready", "blocked"],
    why: "an operator cancelled it: its completed stages are rolled back first, beginning with the last one",
  },
  rollBackWaiting: {
    from: ["scheduled", "ready"],
    to: ["ready"],
    why: "the same for a job that waits for its next stage or its next attempt",
  },
  rollBackHeld: {
    from: ["blocked"],
    to: ["blocked"],
    why: "the same for a job whose lane a person holds: its stages are rolled back when the lane is released",
  },
  retryLater: {
    from: ["running"],
    to: ["scheduled"],
    why: "an attempt failed and others are left: it waits, and keeps its place",
  },
  snooze: {
    from: ["running"],
    to: ["scheduled"],
    why: "the handler asked to be called later: no attempt is charged",
  },
  postpone: {
    from: ["running"],
    to: ["scheduled"],
    why: "workers have died on it so often that it must not run beside the jobs that its worker runs now: it does not start, waits a moment, and keeps its place",
  },
  giveBack: {
    from: ["running"],
    to: ["ready", "blocked"],
    why: "its worker died or shut down, or its destination failed: same place, no attempt charged",
  },
  fail: { from: ["running"], to: ["failed"], why: "the last attempt failed, or the error cannot be retried" },
  skipByPolicy: {
    from: ["running"],
    to: ["skipped"],
    why: "the last attempt failed and the policy is to go on without it",
  },
  cancel: {
    from: ["scheduled", "blocked", "ready", "running", "parked"],
    to: ["cancelled"],
    why: "an operator, or the policy `cancel-rest`, cancelled it",
  },
  retry: {
    from: ["failed"],
    to: ["ready", "blocked"],
    why: "an operator retried it: fresh attempts, same place",
  },
  skip: { from: ["failed"], to: ["resolved"], why: "an operator skipped it" },
  abort: {
    from: ["scheduled", "blocked", "ready", "running", "parked"],
    to: ["aborted"],
    why: "an operator aborted it: a running bulk job stops at its next chunk boundary, another running job through its signal; it keeps its cursor and leaves its lanes",
  },
  resume: {
    from: ["aborted", "failed"],
    to: ["ready", "blocked", "scheduled"],
    why: "an operator resumed it from its cursor: fresh attempts, at the end of its lanes",
  },
  runNow: {
    from: ["scheduled"],
    to: ["ready", "blocked"],
    why: "an operator made it due before its time",
  },
} as const satisfies Record<string, Arrow>;

export type JobEvent = keyof typeof JOB_TRANSITIONS;

export function isAllowed(state: JobState, event: JobEvent): boolean {
  return (JOB_TRANSITIONS[event].from as readonly JobState[]).includes(state);
}

/** Throws JOB_STATE (409) unless the table has the arrow. */
export function guard(job: { id: string; state: JobState }, event: JobEvent): void {
  if (isAllowed(job.state, event)) return;
  const allowed = JOB_TRANSITIONS[event].from.join(", ");
  throw new AndonError("JOB_STATE", { job: job.id, state: job.state, event, allowed });
}
