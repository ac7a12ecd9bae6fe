import { Fact, Facts, jobPath, Link, Panel, Span, Time, useNumber } from "@andon/console/room";
import { executionsWith, PIPELINES, SCHEDULES } from "../addresses.ts";
import type { Execution } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { Size, Took } from "../measures.tsx";

export function ExecutionFacts({ execution }: { execution: Execution }) {
  const { execution: say, common } = useFileflowWords();
  const number = useNumber();
  const time = (at: string | null) => (at === null ? "–" : <Time at={at} show="both" />);
  const path = (text: string | null) => <span className="path">{text ?? "–"}</span>;
  return (
    <Panel title={say.facts}>
      <Facts>
        <Fact name={common.tenant}>{path(execution.tenantId)}</Fact>
        <Fact name={common.organization}>{path(execution.organizationId)}</Fact>
        <Fact name={say.file}>
          <Link to={executionsWith({ fileId: execution.fileId })}>{path(execution.fileId)}</Link>
          {execution.fileDeleted && <span className="text-warn-ink"> ({common.fileDeleted})</span>}
        </Fact>
        {execution.bucket !== null && (
          <>
            <Fact name={say.bucket}>{path(execution.bucket)}</Fact>
            <Fact name={say.key}>{path(execution.key)}</Fact>
            <Fact name={say.size}>{execution.size === null ? "–" : <Size bytes={execution.size} />}</Fact>
            <Fact name={say.type}>{path(execution.mimeType)}</Fact>
          </>
        )}
        <Fact name={say.pipeline}>
          <Link to={PIPELINES}>{execution.pipelineCode}</Link>
        </Fact>
        <Fact name={say.trigger}>{common.trigger[execution.triggerType]}</Fact>
        {execution.scheduleId !== null && (
          <Fact name={say.schedule}>
            <Link to={SCHEDULES}>{path(execution.scheduleId)}</Link>
          </Fact>
        )}
        <Fact name={say.priority}>{number(execution.priority)}</Fact>
        {execution.uploaderUserContextId !== null && (
          <Fact name={say.uploader}>{path(execution.uploaderUserContextId)}</Fact>
        )}
        {execution.versionId !== null && <Fact name={say.version}>{path(execution.versionId)}</Fact>}
        <Fact name={say.trace}>
          <Trace execution={execution} />
        </Fact>
        {execution.occurredAt !== null && <Fact name={say.occurred}>{time(execution.occurredAt)}</Fact>}
        <Fact name={say.created}>{time(execution.createdAt)}</Fact>
        <Fact name={say.started}>{time(execution.startedAt)}</Fact>
        <Fact name={say.completed}>{time(execution.completedAt)}</Fact>
        <Fact name={say.duration}>
          {execution.status === "RUNNING" && execution.startedAt ? (
            <Span from={execution.startedAt} />
          ) : (
            <Took ms={execution.durationMs} />
          )}
        </Fact>
        {execution.retries > 0 && <Fact name={say.retries}>{number(execution.retries)}</Fact>}
        <Fact name={say.idempotencyKey}>{path(execution.idempotencyKey)}</Fact>
        {execution.inputRef !== null && <Fact name={say.inputRef}>{path(execution.inputRef)}</Fact>}
        {execution.outputRef !== null && <Fact name={say.outputRef}>{path(execution.outputRef)}</Fact>}
        <Fact name={say.job}>
          <Link to={jobPath(execution.executionId)}>{say.toJob}</Link>
        </Fact>
      </Facts>
    </Panel>
  );
}

/** The trace id, as a link if the settings have a URL for traces. */
function Trace({ execution: { traceId, traceUrl } }: { execution: Execution }) {
  const id = <span className="font-mono text-xs wrap-anywhere">{traceId}</span>;
  if (traceUrl === null || !/^https?:\/\//.test(traceUrl)) return id;
  return (
    <a
      href={traceUrl}
      target="_blank"
      rel="noreferrer"
      className="text-accent underline decoration-1 underline-offset-2"
    >
      {id}
    </a>
  );
}
