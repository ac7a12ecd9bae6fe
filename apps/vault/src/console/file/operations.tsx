import { jobsPath, Link, Loaded, Panel, Time, type UseQueryResult, useAllowed } from "@andon/console/room";
import type { ReactNode } from "react";
import { laneOf, SYNC_QUEUE, type SyncStatus } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";

/** The current, the pending and the finished operations of a file. */
export function Operations({ fileId, query }: { fileId: string; query: UseQueryResult<SyncStatus> }) {
  const { file: say } = useVaultWords();
  const maySeeJobs = useAllowed({ permission: "queue.read" });
  return (
    <Panel
      title={say.operations}
      aside={maySeeJobs && <Link to={jobsPath({ queue: SYNC_QUEUE, key: laneOf(fileId) })}>{say.jobs}</Link>}
    >
      <Loaded query={query}>
        {(status) => (
          <div className="flex flex-col gap-3 px-3 py-3 sm:px-4">
            <ToDo status={status} />
            <Completed status={status} />
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

const CURRENT_INK = { IN_PROGRESS: "text-hand-ink", RETRYING: "text-warn-ink", FAILED: "text-stop-ink" };

function ToDo({ status: { currentOperation: current, pendingOperations } }: { status: SyncStatus }) {
  const { file: say, operation } = useVaultWords();
  if (!current && pendingOperations.length === 0) return <p className="text-faint">{say.noOperations}</p>;
  return (
    <>
      {current && (
        <Group title={say.current}>
          <Step seq={current.seq} name={operation[current.type]}>
            <span className={`font-medium ${CURRENT_INK[current.status]}`}>
              {say.currentIs[current.status]}
            </span>
            {current.retryCount > 0 && ` · ${say.attempts(current.retryCount)}`}
            {current.startedAt && (
              <>
                {" · "}
                <Time at={current.startedAt} />
              </>
            )}
          </Step>
        </Group>
      )}
      {pendingOperations.length > 0 && (
        <Group title={say.pending}>
          {pendingOperations.map(({ type, seq }) => (
            <Step key={seq} seq={seq} name={operation[type]} />
          ))}
        </Group>
      )}
    </>
  );
}

function Completed({ status: { completedOperations } }: { status: SyncStatus }) {
  const { file: say, operation } = useVaultWords();
  if (completedOperations.length === 0) return null;
  return (
    <Group title={say.completed}>
      {completedOperations.map(({ type, seq, status, completedAt }) => (
        <Step key={seq} seq={seq} name={operation[type]}>
          {say.completedIs[status]}
          {completedAt && (
            <>
              {" · "}
              <Time at={completedAt} />
            </>
          )}
        </Step>
      ))}
    </Group>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="text-xs font-semibold text-faint">{title}</h3>
      <ol className="mt-1 flex flex-col gap-1">{children}</ol>
    </div>
  );
}

function Step({ seq, name, children }: { seq: number; name: string; children?: ReactNode }) {
  const { file: say } = useVaultWords();
  return (
    <li className="flex flex-wrap gap-x-2">
      <span className="font-medium">{name}</span>
      <span className="text-faint">{say.seq(seq)}</span>
      <span className="text-soft">{children}</span>
    </li>
  );
}
