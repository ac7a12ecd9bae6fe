import type { ReactNode } from "react";
import type { Schedule } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { CronWords } from "../ui/cron-words.tsx";
import { LINK, Link, queuePath } from "../ui/link.tsx";
import { Name } from "../ui/name.tsx";
import { type Column, Row, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

interface ScheduleTableProps {
  readonly schedules: readonly Schedule[];
  readonly action: ((schedule: Schedule) => ReactNode) | undefined;
}

export function ScheduleTable({ schedules, action }: ScheduleTableProps) {
  const { schedules: say, queue } = useWords();
  const columns: readonly Column[] = [
    { label: say.name, free: true },
    { label: say.cron, wide: true },
    { label: say.nextRuns, wide: true },
    { label: say.last, wide: true },
    ...(action ? [{ label: queue.actions, silent: true, end: true }] : []),
  ];
  const cells = (schedule: Schedule) => [
    <div key="name" className="min-w-28">
      <p className="font-medium">{schedule.name}</p>
      <p className="text-xs text-faint">
        {schedule.isActive ? say.active : <strong className="text-warn-ink">{say.inactive}</strong>} ·{" "}
        <Link row to={queuePath(schedule.queue)} className={LINK}>
          <Name>{schedule.queue}</Name>
        </Link>
      </p>
      <div className="text-xs text-faint md:hidden">
        <p className="font-medium text-ink">
          <CronWords cron={schedule.cron} />
        </p>
        <p>
          <span className="font-mono">{schedule.cron}</span> · {schedule.timeZone}
        </p>
        {schedule.isActive && schedule.nextRuns[0] && (
          <p>
            {say.nextRuns}: <Time at={schedule.nextRuns[0]} show="both" />
          </p>
        )}
        {schedule.lastDueAt && (
          <p>
            {say.last}: <Time at={schedule.lastDueAt} show="both" />
          </p>
        )}
      </div>
    </div>,
    <div key="cron">
      <p className="font-medium">
        <CronWords cron={schedule.cron} />
      </p>
      <p className="font-mono text-xs text-soft">{schedule.cron}</p>
      <p className="text-xs text-faint">
        {schedule.timeZone} · {say.missed}: {say.missedPolicy[schedule.missed]}
      </p>
    </div>,
    <NextRuns key="next" schedule={schedule} />,
    schedule.lastDueAt ? <Time key="last" at={schedule.lastDueAt} /> : "–",
    action?.(schedule),
  ];
  return (
    <Table label={say.title} columns={columns}>
      {schedules.map((schedule) => (
        <Row key={schedule.id} columns={columns} cells={cells(schedule)} />
      ))}
    </Table>
  );
}

function NextRuns({ schedule: { isActive, nextRuns } }: { schedule: Schedule }) {
  const [next, ...later] = isActive ? nextRuns : [];
  if (!next) return "–";
  return (
    <div>
      <Time at={next} show="both" />
      <p className="flex flex-wrap gap-x-2 text-xs text-faint">
        {later.map((at) => (
          <Time key={at} at={at} show="absolute" />
        ))}
      </p>
    </div>
  );
}
