import type { JobAction, JobState } from "@andon/contract";
import { useQuery } from "@tanstack/react-query";
import { api, type HeldDecision } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import type { Words } from "../i18n/en.ts";
import { useWords } from "../i18n/words.ts";
import { DecisionDialog } from "../ui/decision-dialog.tsx";
import { TypedName } from "../ui/typed-name.tsx";

/** The fields of a job that a decision about it needs. */
export interface DecidedJob {
  readonly id: string;
  readonly ticket: string;
  readonly queue: string;
  readonly state: JobState;
  readonly hasLane: boolean;
  /** It is first in its lane: the jobs behind it continue when it leaves the lane. */
  readonly isHead?: boolean;
  /** It has run before, or is running. */
  readonly hasRun?: boolean;
  /** Its queue is a BullMQ queue: only the queue's routes have the job. */
  readonly isOfBullmq?: boolean;
}

/** An operator's decisions about one job. For a `JobAction` the server says whether it is possible now. */
export type JobDecisionName = JobAction | "delete";

/** Jobs that can be deleted: nothing waits for them, and they do not run. */
const DELETABLE: ReadonlySet<JobState> = new Set([
  "done",
  "failed",
  "cancelled",
  "skipped",
  "resolved",
  "aborted",
]);

export function decisionsAbout(job: {
  state: JobState;
  actions: readonly JobAction[];
}): readonly JobDecisionName[] {
  return DELETABLE.has(job.state) ? [...job.actions, "delete"] : job.actions;
}

/** With `pendingDecision` the decision is held back and applied later. */
interface Answered {
  readonly message: string;
  readonly pendingDecision?: HeldDecision;
}

interface JobRule {
  readonly reason: "required" | "optional";
  /** It cannot be undone, so the ticket must be typed first. */
  readonly isFinal?: true;
  readonly decide: (job: DecidedJob, reason: string | undefined) => Promise<Answered>;
  readonly effects: (job: DecidedJob, stands: boolean, effect: Words["act"]["effect"]) => readonly string[];
}

const because = (reason: string | undefined) => (reason === undefined ? {} : { reason });
const whenItRuns = (stands: boolean, effect: Words["act"]["effect"]) =>
  stands ? effect.queueStands : effect.queueRuns;

/** The requirements and effects of each decision. */
const RULES: Record<JobDecisionName, JobRule> = {
  retry: {
    reason: "optional",
    decide: ({ id, ticket, queue, isOfBullmq }, reason) =>
      isOfBullmq
        ? api().queues.retry({ queue, jobId: ticket, ...because(reason) })
        : api().jobs.retry({ id, ...because(reason) }),
    effects: ({ isOfBullmq }, stands, effect) => [
      isOfBullmq ? effect.retryAtHead : effect.retryJob,
      whenItRuns(stands, effect),
    ],
  },
  skip: {
    reason: "required",
    decide: ({ id, ticket, queue, isOfBullmq }, reason = "") =>
      isOfBullmq ? api().queues.skip({ queue, jobId: ticket, reason }) : api().jobs.skip({ id, reason }),
    effects: ({ hasLane }, stands, effect) => [
      effect.skipJob,
      ...(hasLane ? [effect.skipLane] : []),
      ...(stands ? [effect.queueStands] : []),
    ],
  },
  cancel: {
    reason: "optional",
    decide: ({ id }, reason) => api().jobs.cancel({ id, ...because(reason) }),
    effects: ({ state, isHead, hasRun }, _, effect) => [
      state === "running" ? effect.cancelRunning : hasRun ? effect.cancelRan : effect.cancelWaiting,
      ...(isHead ? [effect.cancelHead] : []),
    ],
  },
  "run-now": {
    reason: "optional",
    decide: ({ id }, reason) => api().jobs.runNow({ id, ...because(reason) }),
    effects: (_, stands, effect) => [effect.runNow, ...(stands ? [effect.queueStands] : [])],
  },
  delete: {
    reason: "required",
    isFinal: true,
    decide: ({ queue, ticket }, reason = "") => api().queues.deleteJob({ queue, jobId: ticket, reason }),
    effects: ({ state, hasLane }, _, effect) => [
      effect.deleteJob,
      ...(state === "failed" && hasLane ? [effect.skipLane] : []),
      effect.auditStays,
    ],
  },
};

interface JobDecisionProps {
  readonly action: JobDecisionName;
  readonly job: DecidedJob;
  readonly onClose: () => void;
  readonly onDone?: (() => Promise<void>) | undefined;
}

export function JobDecision({ action, job, onClose, onDone }: JobDecisionProps) {
  const { act, common } = useWords();
  const { data: queue } = useQuery(queries.queue(job.queue));
  const stands = queue?.isPaused ?? false;
  const rule = RULES[action];
  const decide = async (reason: string | undefined) => {
    const { message, pendingDecision } = await rule.decide(job, reason);
    if (pendingDecision) return { message, pendingDecision };
    return { message: stands && !rule.isFinal ? `${message} ${act.nextResume}` : message };
  };
  return (
    <DecisionDialog
      title={act.of[action](job.ticket)}
      effects={[...rule.effects(job, stands, act.effect), common.nothingElse]}
      confirm={act[action]}
      tone={rule.isFinal ? "stop" : "primary"}
      reason={rule.reason}
      decide={decide}
      onClose={onClose}
      onDone={onDone}
    >
      {rule.isFinal && <TypedName name={job.ticket} label={act.typeTicket} />}
    </DecisionDialog>
  );
}
