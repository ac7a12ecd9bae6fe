import { Empty, Panel, Span, Time, useNow, useNumber } from "@andon/console/room";
import { Hourglass } from "lucide-react";
import type { Execution, Stage } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { StageMark } from "../marks.tsx";
import { Took } from "../measures.tsx";

const WIDTH = 1_000;
const NARROWEST = 8;

/** The stages in order: the result of each, and when it ran within the execution. */
export function StageTimeline({ execution }: { execution: Execution }) {
  const { execution: say } = useFileflowWords();
  const now = useNow();
  const start = Date.parse(execution.startedAt ?? execution.createdAt);
  const end = execution.completedAt === null ? now : Date.parse(execution.completedAt);
  return (
    <Panel title={say.stages} hint={say.stagesHint}>
      {execution.stages.length === 0 ? (
        <Empty title={say.noStages} icon={Hourglass} />
      ) : (
        <ol className="divide-y divide-line">
          {execution.stages.map((stage) => (
            <li key={stage.name} className="flex flex-col gap-1 px-3 py-2 sm:px-4" data-stage={stage.name}>
              <StageHead stage={stage} />
              <Bar stage={stage} start={start} end={end} />
              <StageFindings stage={stage} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function StageHead({ stage }: { stage: Stage }) {
  const { execution: say } = useFileflowWords();
  const number = useNumber();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="font-medium">{stage.name}</span>
      <StageMark status={stage.status} />
      {stage.attempts > 1 && (
        <span className="text-xs text-warn-ink">{say.attempts(number(stage.attempts))}</span>
      )}
      <span className="ml-auto flex gap-x-3 text-xs text-faint">
        {stage.startedAt && <Time at={stage.startedAt} show="absolute" />}
        {stage.durationMs === null && stage.startedAt && stage.status === "RUNNING" ? (
          <Span from={stage.startedAt} />
        ) : (
          <Took ms={stage.durationMs} />
        )}
      </span>
    </div>
  );
}

const TONES: Partial<Record<Stage["status"], string>> = {
  RUNNING: "text-run",
  FAILED: "text-stop",
  TIMEOUT: "text-stop",
  SKIPPED: "text-line-strong",
};

/** Uses SVG attributes, because the content security policy allows no inline styles. */
function Bar({ stage, start, end }: { stage: Stage; start: number; end: number }) {
  if (stage.startedAt === null || end <= start) return null;
  const at = (time: number) => Math.min(WIDTH, Math.max(0, ((time - start) / (end - start)) * WIDTH));
  const from = Math.min(at(Date.parse(stage.startedAt)), WIDTH - NARROWEST);
  const to = stage.completedAt === null ? WIDTH : at(Date.parse(stage.completedAt));
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} 8`}
      preserveAspectRatio="none"
      className={`h-1.5 w-full ${TONES[stage.status] ?? "text-accent"}`}
    >
      <rect width={WIDTH} height="8" rx="2" className="fill-line" />
      <rect x={from} width={Math.max(NARROWEST, to - from)} height="8" rx="2" fill="currentColor" />
    </svg>
  );
}

function StageFindings({ stage: { error, reason, output, outputRef } }: { stage: Stage }) {
  const { execution: say } = useFileflowWords();
  const facts =
    output !== null && typeof output === "object" && !Array.isArray(output) ? Object.entries(output) : [];
  return (
    <>
      {error && (
        <p className="text-stop-ink wrap-anywhere">
          <span className="font-mono">{error.code}</span> {error.message}
        </p>
      )}
      {reason && <p className="text-soft wrap-anywhere">{reason}</p>}
      {facts.length > 0 && (
        <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs">
          {facts.map(([name, value]) => (
            <div key={name} className="flex min-w-0 gap-x-1">
              <dt className="text-faint">{name}</dt>
              <dd className="min-w-0 wrap-anywhere">
                {typeof value === "string" ? value : JSON.stringify(value)}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {outputRef && (
        <p className="text-xs text-faint">
          {say.outputRef}: <span className="path">{outputRef}</span>
        </p>
      )}
    </>
  );
}
