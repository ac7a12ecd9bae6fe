import { Button, DecisionDialog, Dialog, Loaded, useQuery, useWords } from "@andon/console/room";
import { fileflow, type Schedule } from "../api.ts";
import type { FileflowWords } from "../i18n/en.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { NextRuns } from "./next-runs.tsx";

type ScheduleDecision = "pause" | "resume" | "run" | "remove";
export type ScheduleAction = "preview" | ScheduleDecision;

/** A schedule has no name, so its pipeline and its cron expression stand for it. */
export const nameOf = ({ pipelineCode, cron }: Pick<Schedule, "pipelineCode" | "cron">) =>
  `${pipelineCode} ${cron}`;

interface Props {
  readonly schedule: Schedule;
  readonly onClose: () => void;
}

interface Rule {
  readonly decide: (id: string, reason: string | undefined, say: Words) => Promise<string>;
  readonly effect: (say: Words) => string;
  readonly reason: "optional" | "none";
}

type Words = FileflowWords["schedules"];

/** The effect of each decision. */
const RULES: Readonly<Record<ScheduleDecision, Rule>> = {
  pause: {
    reason: "optional",
    effect: (say) => say.pauseEffect,
    decide: async (id, reason, say) => {
      await fileflow().pipelineSchedules.change({ id, isActive: false, reason });
      return say.isPaused;
    },
  },
  resume: {
    reason: "optional",
    effect: (say) => say.resumeEffect,
    decide: async (id, reason, say) => {
      await fileflow().pipelineSchedules.change({ id, isActive: true, reason });
      return say.isActive;
    },
  },
  run: {
    reason: "optional",
    effect: (say) => say.runEffect,
    decide: async (id, reason, say) => {
      const { executionId } = await fileflow().pipelineSchedules.run({ id, reason });
      return executionId === null ? say.ran : say.ranOne(executionId);
    },
  },
  remove: {
    reason: "none",
    effect: (say) => say.removeEffect,
    decide: async (id, _, say) => {
      await fileflow().pipelineSchedules.remove({ id });
      return say.removed;
    },
  },
};

export function ScheduleDialog({ action, ...props }: Props & { action: ScheduleAction }) {
  if (action === "preview") return <PreviewDialog {...props} />;
  return <DecideDialog action={action} {...props} />;
}

function DecideDialog({ action, schedule, onClose }: Props & { action: ScheduleDecision }) {
  const { schedules: say } = useFileflowWords();
  const rule = RULES[action];
  const decide = async (reason: string | undefined) => ({
    message: await rule.decide(schedule.id, reason, say),
  });
  return (
    <DecisionDialog
      title={say.of(say[action], nameOf(schedule))}
      effects={[rule.effect(say)]}
      confirm={say[action]}
      tone={action === "remove" ? "stop" : "primary"}
      reason={rule.reason}
      decide={decide}
      onClose={onClose}
    />
  );
}

function PreviewDialog({ schedule, onClose }: Props) {
  const { schedules: say } = useFileflowWords();
  const { common } = useWords();
  const query = useQuery({
    queryKey: ["fileflow", "preview", schedule.id],
    queryFn: ({ signal }) => fileflow().pipelineSchedules.preview({ id: schedule.id }, { signal }),
  });
  return (
    <Dialog title={say.previewTitle(nameOf(schedule))} onClose={onClose}>
      {!schedule.isActive && (
        <p className="rounded-md bg-warn-wash px-3 py-2 text-warn-ink">{say.pausedHint}</p>
      )}
      <Loaded query={query}>{(preview) => <NextRuns {...preview} />}</Loaded>
      <div className="flex justify-end">
        <Button onClick={onClose}>{common.close}</Button>
      </div>
    </Dialog>
  );
}
