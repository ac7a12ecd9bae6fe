import { Panel, ProgressBar, Span, Time, useNow, useNumber } from "@andon/console/room";
import type { LucideIcon } from "lucide-react";
import { CircleCheck, CircleDashed, CircleX, Clock3, LoaderCircle, OctagonX } from "lucide-react";
import type { Task } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { usePhaseName } from "../status-mark.tsx";
import { When } from "../when.tsx";
import { WorkSpan } from "./work-span.tsx";

type Phase = Task["phases"][number];

const SIGNS: Readonly<Record<Phase["status"], { icon: LucideIcon; ink: string }>> = {
  waiting: { icon: Clock3, ink: "text-warn-ink" },
  processing: { icon: LoaderCircle, ink: "text-hand-ink" },
  completed: { icon: CircleCheck, ink: "text-run-ink" },
  failed: { icon: CircleX, ink: "text-stop-ink" },
  cancelled: { icon: OctagonX, ink: "text-soft" },
};

/** Every phase of the task in order: completed ones, the current one with its progress, and those still to come. */
export function PhaseTimeline({ task }: { task: Task }) {
  const say = useStudioWords();
  const reached = new Map(task.phases.map((phase) => [phase.type, phase]));
  return (
    <Panel title={say.timeline}>
      <ol className="flex flex-col p-3 sm:p-4">
        {task.allPhases.map((type) => (
          <PhaseStep key={type} type={type} phase={reached.get(type)} task={task} />
        ))}
      </ol>
    </Panel>
  );
}

function PhaseStep({ type, phase, task }: { type: string; phase: Phase | undefined; task: Task }) {
  const say = useStudioWords();
  const phaseName = usePhaseName();
  const { icon: Icon, ink } = phase ? SIGNS[phase.status] : { icon: CircleDashed, ink: "text-faint" };
  const isCurrent = type === task.type && (task.status === "waiting" || task.status === "processing");
  return (
    <li
      data-phase={type}
      data-status={phase?.status ?? "none"}
      aria-current={isCurrent ? "step" : undefined}
      className="relative border-l-2 border-line pb-4 pl-5 last:border-transparent last:pb-0"
    >
      <span className={`absolute top-0 -left-[10px] rounded-full bg-panel ${ink}`}>
        <Icon size={18} aria-hidden="true" />
      </span>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className={`font-medium ${phase ? "" : "text-faint"}`}>{phaseName(type)}</span>
        <span className={`text-xs font-medium ${ink}`}>
          {phase ? say.statuses[phase.status] : say.notReached}
        </span>
      </p>
      {phase && phase.status !== "waiting" && <PhaseTimes phase={phase} task={task} />}
      {isCurrent && task.status === "processing" && <PhaseProgress type={type} progress={task.progress} />}
      {isCurrent && task.status === "waiting" && <Waiting task={task} />}
    </li>
  );
}

function PhaseTimes({ phase, task }: { phase: Phase; task: Task }) {
  const isAtWork = phase.status === "processing";
  const since = isAtWork ? (task.startedAt ?? phase.startedAt) : null;
  const at = since ?? phase.finishedAt;
  if (at === null && phase.elapsedMs === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-2 text-xs text-faint" data-elapsed={phase.elapsedMs}>
      {at !== null && <Time at={at} show="absolute" />}
      {since !== null ? <Span from={since} /> : <WorkSpan ms={phase.elapsedMs} />}
    </p>
  );
}

function PhaseProgress({ type, progress }: { type: string; progress: number | null }) {
  const say = useStudioWords();
  const phaseName = usePhaseName();
  const number = useNumber();
  return (
    <div className="flex max-w-md items-center gap-2 pt-1" data-progress={progress ?? ""}>
      <ProgressBar
        label={say.progress(phaseName(type))}
        {...(progress === null ? {} : { value: progress, max: 1 })}
      />
      {progress !== null && (
        <span className="w-12 shrink-0 text-right text-xs">
          {say.percent(number(Math.round(progress * 100)))}
        </span>
      )}
    </div>
  );
}

/** Why the task waits: for its scheduled time, for images, for a busy service, or for a free place. */
function Waiting({ task: { scheduledTime, waitsFor } }: { task: Task }) {
  const say = useStudioWords();
  const now = useNow();
  if (Date.parse(scheduledTime) > now) {
    return (
      <p className="text-xs text-soft">
        {say.startsAt} <When at={scheduledTime} />
      </p>
    );
  }
  if (waitsFor?.event === "service" && waitsFor.until !== null) {
    return (
      <p className="text-xs text-warn-ink" data-waits="service">
        {say.waitsForService} <When at={waitsFor.until} />
      </p>
    );
  }
  return <p className="text-xs text-soft">{waitsFor ? say.waitsForImages : say.queuedNow}</p>;
}
