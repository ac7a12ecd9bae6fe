import { Button, type Column, CronWords, Link, Row, Table, Time } from "@andon/console/room";
import { executionsWith } from "../addresses.ts";
import type { Schedule } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { nameOf, type ScheduleAction } from "./schedule-dialogs.tsx";
import { ZonedTime } from "./zoned-time.tsx";

interface ScheduleTableProps {
  readonly schedules: readonly Schedule[];
  readonly actions: readonly ScheduleAction[];
  readonly onAction: (action: ScheduleAction, schedule: Schedule) => void;
}

export function ScheduleTable({ schedules, actions, onAction }: ScheduleTableProps) {
  const { schedules: say, common } = useFileflowWords();
  const columns: readonly Column[] = [
    { label: say.pipeline, free: true },
    { label: say.next, wide: true },
    { label: say.last, wide: true },
    { label: common.actions, silent: true, end: true },
  ];
  const possible = (schedule: Schedule) =>
    actions.filter((action) => action !== (schedule.isActive ? "resume" : "pause"));
  return (
    <Table label={say.title} columns={columns}>
      {schedules.map((schedule) => (
        <Row
          key={schedule.id}
          about={schedule.id}
          columns={columns}
          cells={[
            <About key="about" schedule={schedule} />,
            <Next key="next" schedule={schedule} />,
            schedule.lastExecutionAt === null ? "–" : <Time key="last" at={schedule.lastExecutionAt} />,
            <div key="actions" className="flex flex-col items-stretch gap-1 sm:flex-row sm:justify-end">
              {possible(schedule).map((action) => (
                <Button
                  key={action}
                  tone={action === "remove" ? "stop" : "plain"}
                  aria-label={say.of(say[action], nameOf(schedule))}
                  onClick={() => onAction(action, schedule)}
                >
                  {say[action]}
                </Button>
              ))}
            </div>,
          ]}
        />
      ))}
    </Table>
  );
}

function About({ schedule }: { schedule: Schedule }) {
  const { schedules: say } = useFileflowWords();
  const { pipelineCode, cron, timeZone, isActive, input, missed, overlap } = schedule;
  return (
    <>
      <p className="flex flex-wrap gap-x-2">
        <Link row to={executionsWith({ pipelineCode, triggerType: "SCHEDULE" })}>
          {pipelineCode}
        </Link>
        {isActive ? (
          <span className="text-xs text-faint">{say.active}</span>
        ) : (
          <strong className="text-xs text-warn-ink">{say.paused}</strong>
        )}
      </p>
      <p>
        <CronWords cron={cron} /> <span className="font-mono text-xs text-soft">{cron}</span>{" "}
        <span className="text-xs text-faint">{timeZone}</span>
      </p>
      {input && (
        <p className="path text-xs text-faint">
          {say.input}: {input.bucket}/{input.prefix}
        </p>
      )}
      <p className="text-xs text-faint">
        {schedule.tenantId} · {schedule.organizationId} · {say.missed}: {say.missedPolicy[missed]} ·{" "}
        {say.overlap}: {say.overlapPolicy[overlap]}
      </p>
      <p className="text-xs text-faint md:hidden">
        {isActive && schedule.nextExecutionAt && (
          <>
            {say.next}: <ZonedTime at={schedule.nextExecutionAt} zone={timeZone} />
          </>
        )}
      </p>
    </>
  );
}

function Next({ schedule: { isActive, nextExecutionAt, timeZone } }: { schedule: Schedule }) {
  const { schedules: say } = useFileflowWords();
  if (!isActive) return <span className="text-warn-ink">{say.paused}</span>;
  if (nextExecutionAt === null) return say.noNext;
  return (
    <>
      <p>
        <ZonedTime at={nextExecutionAt} zone={timeZone} />
      </p>
      <p className="text-xs text-faint">
        <Time at={nextExecutionAt} />
      </p>
    </>
  );
}
