import type { JobAction, JobState } from "@andon/contract";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { DecisionDialog } from "../kit/decision-dialog.tsx";
import type { Words } from "../words/en.ts";
import { useWords } from "../words/words.ts";

/** As much of a job as a decision about it needs. */
export interface DecidedJob {
  readonly id: string;
  readonly ticket: string;
  readonly queue: string;
  readonly state: JobState;
  readonly hasLane: boolean;
  /** It stands first in its lane: what waits behind it goes on when it leaves. */
  readonly isHead?: boolean;
  /** It has run before, or runs. */
  readonly hasRun?: boolean;
}

interface JobRule {
  readonly reason: "required" | "optional";
  readonly decide: (id: string, reason: string | undefined) => Promise<{ message: string }>;
  readonly effects: (job: DecidedJob, stands: boolean, effect: Words["act"]["effect"]) => readonly string[];
}

const because = (reason: string | undefined) => (reason === undefined ? {} : { reason });
const whenItRuns = (stands: boolean, effect: Words["act"]["effect"]) =>
  stands ? effect.queueStands : effect.queueRuns;

/** What an operator may do with one job, and what it will do. */
const RULES: Record<JobAction, JobRule> = {
  retry: {
    reason: "optional",
    decide: (id, reason) => api().jobs.retry({ id, ...because(reason) }),
    effects: (_, stands, effect) => [effect.retryJob, whenItRuns(stands, effect)],
  },
  skip: {
    reason: "required",
    decide: (id, reason = "") => api().jobs.skip({ id, reason }),
    effects: ({ hasLane }, stands, effect) => [
      effect.skipJob,
      ...(hasLane ? [effect.skipLane] : []),
      ...(stands ? [effect.queueStands] : []),
    ],
  },
  cancel: {
    reason: "optional",
    decide: (id, reason) => api().jobs.cancel({ id, ...because(reason) }),
    effects: ({ state, isHead, hasRun }, _, effect) => [
      state === "running" ? effect.cancelRunning : hasRun ? effect.cancelRan : effect.cancelWaiting,
      ...(isHead ? [effect.cancelHead] : []),
    ],
  },
  "run-now": {
    reason: "optional",
    decide: (id, reason) => api().jobs.runNow({ id, ...because(reason) }),
    effects: (_, stands, effect) => [effect.runNow, ...(stands ? [effect.queueStands] : [])],
  },
};

interface JobDecisionProps {
  readonly action: JobAction;
  readonly job: DecidedJob;
  readonly onClose: () => void;
}

export function JobDecision({ action, job, onClose }: JobDecisionProps) {
  const { act, common } = useWords();
  const { data: queue } = useQuery(queries.queue(job.queue));
  const stands = queue?.isPaused ?? false;
  const rule = RULES[action];
  const decide = async (reason: string | undefined) => {
    const { message } = await rule.decide(job.id, reason);
    return { message: stands ? `${message} ${act.nextResume}` : message };
  };
  return (
    <DecisionDialog
      title={act.of[action](job.ticket)}
      effects={[...rule.effects(job, stands, act.effect), common.nothingElse]}
      confirm={act[action]}
      reason={rule.reason}
      decide={decide}
      onClose={onClose}
    />
  );
}
