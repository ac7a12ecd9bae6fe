import { type Column, Link, Row, Table, Time } from "@andon/console/room";
import { executionAddress } from "../addresses.ts";
import type { ExecutionItem } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { ExecutionMark } from "../marks.tsx";
import { Took } from "../measures.tsx";

export function ExecutionTable({ executions }: { executions: readonly ExecutionItem[] }) {
  const { executions: say } = useFileflowWords();
  const columns: readonly Column[] = [
    { label: say.object, free: true },
    { label: say.status },
    { label: say.pipeline, wide: true },
    { label: say.duration, wide: true, end: true },
    { label: say.created, end: true },
  ];
  return (
    <Table label={say.title} columns={columns}>
      {executions.map((execution) => (
        <Row
          key={execution.executionId}
          about={execution.executionId}
          columns={columns}
          cells={[
            <ObjectCell key="object" execution={execution} />,
            <div key="status">
              <ExecutionMark execution={execution} />
              {execution.status === "RUNNING" && execution.stage && (
                <p className="pt-0.5 text-xs text-faint">{execution.stage}</p>
              )}
            </div>,
            <Pipeline key="pipeline" execution={execution} />,
            <Took key="took" ms={execution.durationMs} />,
            <Time key="at" at={execution.createdAt} />,
          ]}
        />
      ))}
    </Table>
  );
}

/** The object, its owner and the error, by which an operator decides. */
function ObjectCell({ execution }: { execution: ExecutionItem }) {
  const { common } = useFileflowWords();
  const { bucket, key, fileId, tenantId, organizationId, fileDeleted, error } = execution;
  return (
    <>
      <Link row to={executionAddress(execution.executionId)}>
        <span className="path">{key ?? fileId}</span>
      </Link>
      <p className="text-xs text-faint">
        {[bucket, tenantId, organizationId].filter((part) => part !== null).join(" · ")}
        {fileDeleted && <span className="text-warn-ink"> · {common.fileDeleted}</span>}
      </p>
      {error && (
        <p className="text-xs text-stop-ink">
          <span className="font-mono">{error.code}</span> {error.message}
        </p>
      )}
    </>
  );
}

function Pipeline({ execution: { pipelineCode, triggerType } }: { execution: ExecutionItem }) {
  const { common } = useFileflowWords();
  return (
    <>
      <p>{pipelineCode}</p>
      <p className="text-xs text-faint">{common.trigger[triggerType]}</p>
    </>
  );
}
