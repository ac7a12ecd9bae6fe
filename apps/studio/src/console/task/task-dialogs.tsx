import { RefusedError } from "@andon/client";
import { DecisionDialog, useAllowed, useNavigate } from "@andon/console/room";
import { useState } from "react";
import { type ListedTask, studio, TASKS_ADDRESS, type Task } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { usePhaseName } from "../status-mark.tsx";

export type TaskAction = "retry" | "cancel" | "remove";

interface Props {
  readonly task: Task;
  readonly onClose: () => void;
}

export function hasRetriesLeft({ retryCount, maxRetries }: Pick<Task, "retryCount" | "maxRetries">): boolean {
  return retryCount < maxRetries;
}

/** The decisions about one task, one dialog each. The dialog says what the decision does. */
export function TaskDialog({ action, ...props }: Props & { action: TaskAction }) {
  const Shown = DIALOGS[action];
  return <Shown {...props} />;
}

type Retried = Pick<ListedTask, "taskId" | "title" | "type"> &
  Partial<Pick<Task, "retryCount" | "maxRetries">>;

/**
 * Retries the failed phase. A list does not know how many retries are left: if the server answers that there are none, an
 * administrator may force the retry.
 */
export function RetryDialog({ task, onClose }: { task: Retried; onClose: () => void }) {
  const say = useStudioWords();
  const phaseName = usePhaseName();
  const mayForce = useAllowed({ permission: "admin" });
  const { taskId: id, title, type, retryCount, maxRetries } = task;
  const isKnown = retryCount !== undefined && maxRetries !== undefined;
  const [force, setForce] = useState(mayForce && isKnown && !hasRetriesLeft({ retryCount, maxRetries }));
  const decide = async (reason: string | undefined) => {
    try {
      await studio().tasks.retry({ id, reason, ...(force ? { force } : {}) });
    } catch (error) {
      if (mayForce && error instanceof RefusedError && error.code === "TASK_RETRIES") setForce(true);
      throw error;
    }
    return { message: say.retried };
  };
  const effects = [
    say.retryEffect(phaseName(type)),
    ...(force ? [say.forceEffect] : isKnown ? [say.retryCounts(retryCount + 1, maxRetries)] : []),
  ];
  return (
    <DecisionDialog
      title={say.retryTitle(title)}
      effects={effects}
      confirm={force ? say.forceRetry : say.retry}
      reason="optional"
      decide={decide}
      onClose={onClose}
    />
  );
}

function CancelDialog({ task: { taskId: id, title, status }, onClose }: Props) {
  const say = useStudioWords();
  const decide = async (reason: string | undefined) => {
    const cancelled = await studio().tasks.cancel({ id, reason });
    return { message: cancelled.status === "cancelled" ? say.cancelled : say.cancelRequested };
  };
  return (
    <DecisionDialog
      title={say.cancelTitle(title)}
      effects={[say.cancelEffect, ...(status === "processing" ? [say.cancelWorking] : []), say.cancelFiles]}
      confirm={say.cancel}
      tone="stop"
      reason="optional"
      decide={decide}
      onClose={onClose}
    />
  );
}

function RemoveDialog({ task: { taskId: id, title, status }, onClose }: Props) {
  const say = useStudioWords();
  const navigate = useNavigate();
  const decide = async (reason: string | undefined) => {
    await studio().tasks.remove({ id, reason });
    return { message: say.removed };
  };
  const effects = [
    say.removeEffect,
    ...(status === "waiting" ? [say.removeUnfinished] : []),
    ...(status === "completed" ? [say.removePublished] : []),
  ];
  return (
    <DecisionDialog
      title={say.removeTitle(title)}
      effects={effects}
      confirm={say.remove}
      tone="stop"
      reason="optional"
      decide={decide}
      onClose={onClose}
      onDone={() => navigate({ to: TASKS_ADDRESS })}
    />
  );
}

const DIALOGS = { retry: RetryDialog, cancel: CancelDialog, remove: RemoveDialog } as const;
