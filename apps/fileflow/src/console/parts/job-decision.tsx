import { Button, type JobDetail, useAllowed, useLiveQuery } from "@andon/console/room";
import { useState } from "react";
import { actionsOf, type ExecutionAction, ExecutionDialog } from "../execution/execution-dialogs.tsx";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";

/** The decisions about the execution of a job, with the app's own rules. */
export default function JobDecision({ job: { id } }: { job: JobDetail }) {
  const { jobPage: say } = useFileflowWords();
  const [open, setOpen] = useState<ExecutionAction>();
  const maySee = useAllowed({ permission: "pipeline.read" });
  const may = {
    cancel: useAllowed({ permission: "pipeline.cancel" }),
    retry: useAllowed({ permission: "pipeline.retry" }),
  };
  const { data: execution } = useLiveQuery({ ...fileflowQueries.execution(id), enabled: maySee });
  if (!execution) return null;
  return (
    <>
      {actionsOf(execution)
        .filter((action) => may[action])
        .map((action) => (
          <Button key={action} onClick={() => setOpen(action)}>
            {say[action]}
          </Button>
        ))}
      {open && <ExecutionDialog action={open} execution={execution} onClose={() => setOpen(undefined)} />}
    </>
  );
}
