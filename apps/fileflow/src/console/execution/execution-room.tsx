import { Button, Link, Loaded, PageHead, useAllowed, useLiveQuery, useParams } from "@andon/console/room";
import { useState } from "react";
import { EXECUTIONS } from "../addresses.ts";
import type { Execution } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { ExecutionMark } from "../marks.tsx";
import { fileflowQueries } from "../queries.ts";
import { actionsOf, type ExecutionAction, ExecutionDialog } from "./execution-dialogs.tsx";
import { ExecutionFacts } from "./execution-facts.tsx";
import { Extractions } from "./extractions.tsx";
import { Failure } from "./failure.tsx";
import { Lineage } from "./lineage.tsx";
import { StageLogs } from "./stage-logs.tsx";
import { StageTimeline } from "./stage-timeline.tsx";

export default function ExecutionRoom() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useLiveQuery(fileflowQueries.execution(id));
  return (
    <Loaded query={query} rows={8}>
      {(execution) => <ExecutionPage key={execution.executionId} execution={execution} />}
    </Loaded>
  );
}

/** One execution: its failure first, then its stages, extractions, log and properties. */
function ExecutionPage({ execution }: { execution: Execution }) {
  const { execution: say } = useFileflowWords();
  const [open, setOpen] = useState<ExecutionAction>();
  const may = {
    cancel: useAllowed({ permission: "pipeline.cancel" }),
    retry: useAllowed({ permission: "pipeline.retry" }),
  };
  return (
    <>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="path">{execution.key ?? execution.fileId}</span>
            <ExecutionMark execution={execution} />
          </span>
        }
      >
        <Link to={EXECUTIONS}>{say.back}</Link>
        {actionsOf(execution)
          .filter((action) => may[action])
          .map((action) => (
            <Button
              key={action}
              tone={action === "cancel" ? "stop" : "primary"}
              onClick={() => setOpen(action)}
            >
              {say[action]}
            </Button>
          ))}
      </PageHead>
      <Failure execution={execution} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <StageTimeline execution={execution} />
          <Extractions execution={execution} />
          <StageLogs execution={execution} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <ExecutionFacts execution={execution} />
          <Lineage execution={execution} />
        </div>
      </div>
      {open && <ExecutionDialog action={open} execution={execution} onClose={() => setOpen(undefined)} />}
    </>
  );
}
