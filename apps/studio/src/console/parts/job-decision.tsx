import { Button, type JobDetail, useAllowed, useLiveQuery } from "@andon/console/room";
import { useState } from "react";
import { studioQueries } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { hasRetriesLeft, RetryDialog } from "../task/task-dialogs.tsx";

/** A forced retry for administrators, shown if a failed task has no retries left: the job's own retry would be refused. */
export default function JobDecision({ job }: { job: JobDetail }) {
  const say = useStudioWords();
  const [isOpen, setOpen] = useState(false);
  const mayForce = useAllowed({ permission: "admin" });
  const isAsked = mayForce && job.state === "failed";
  const { data: task } = useLiveQuery({ ...studioQueries.task(job.id), enabled: isAsked });
  if (!isAsked || task?.status !== "failed" || hasRetriesLeft(task)) return null;
  return (
    <>
      <Button isMain onClick={() => setOpen(true)}>
        {say.forceRetry}
      </Button>
      {isOpen && <RetryDialog task={task} onClose={() => setOpen(false)} />}
    </>
  );
}
