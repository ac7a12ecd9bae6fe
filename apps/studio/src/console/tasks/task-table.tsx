import { Button, type Column, Link, Row, Table, Time, useAllowed } from "@andon/console/room";
import { useState } from "react";
import { type ListedTask, taskAddress } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { StatusMark } from "../status-mark.tsx";
import { RetryDialog } from "../task/task-dialogs.tsx";

/** Tasks of one tab. Failed ones can be retried from here. */
export function TaskTable({ tasks }: { tasks: readonly ListedTask[] }) {
  const say = useStudioWords();
  const [retrying, setRetrying] = useState<ListedTask>();
  const mayWrite = useAllowed({ permission: "tasks.write" });
  const hasActions = mayWrite && tasks.some(({ status }) => status === "failed");
  const columns: readonly Column[] = [
    { label: say.title },
    { label: say.state },
    { label: say.scheduled, wide: true },
    { label: say.priority, wide: true, end: true },
    { label: say.user, wide: true, free: true },
    ...(hasActions ? [{ label: say.actions, silent: true, end: true }] : []),
  ];
  const cells = (task: ListedTask) => [
    <div key="title" className="min-w-24">
      <Link row to={taskAddress(task.taskId)}>
        <span className="wrap-anywhere">{task.title}</span>
      </Link>
      {task.error !== null && (
        <p className="line-clamp-2 text-xs wrap-anywhere text-stop-ink">{task.error}</p>
      )}
      <p className="text-xs text-faint md:hidden">
        <Time at={task.scheduledTime} show="absolute" />
      </p>
    </div>,
    <StatusMark key="state" type={task.type} status={task.status} />,
    <Time key="at" at={task.scheduledTime} show="both" />,
    task.priority,
    task.userId,
    hasActions && task.status === "failed" && (
      <Button key="retry" aria-label={say.retryTitle(task.title)} onClick={() => setRetrying(task)}>
        {say.retry}
      </Button>
    ),
  ];
  return (
    <>
      <Table label={say.tasks} columns={columns}>
        {tasks.map((task) => (
          <Row key={task.taskId} about={task.taskId} columns={columns} cells={cells(task)} />
        ))}
      </Table>
      {retrying && <RetryDialog task={retrying} onClose={() => setRetrying(undefined)} />}
    </>
  );
}
