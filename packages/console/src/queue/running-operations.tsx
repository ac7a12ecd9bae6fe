import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { OperationProgress } from "../ui/operation-progress.tsx";
import { Panel } from "../ui/panel.tsx";

/** The running decisions over many jobs of the queue, by any person. */
export function RunningOperations({ queue }: { queue: string }) {
  const { act } = useWords();
  const { data } = useLiveQuery(queries.operations(queue));
  if (!data || data.total === 0) return null;
  return (
    <Panel title={act.operation.title}>
      <div className="flex flex-col gap-3">
        {data.items.map((operation) => (
          <OperationProgress key={operation.id} operation={operation} />
        ))}
      </div>
    </Panel>
  );
}
