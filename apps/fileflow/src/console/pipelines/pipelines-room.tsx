import {
  type Column,
  Empty,
  Link,
  Loaded,
  PageHead,
  Paging,
  Panel,
  Row,
  spanText,
  Table,
  useAddress,
  useLiveQuery,
  useNumber,
  useWords,
} from "@andon/console/room";
import { executionsWith } from "../addresses.ts";
import type { Pipeline } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { Took } from "../measures.tsx";
import { fileflowQueries } from "../queries.ts";

/** The definitions in the order in which events are matched against them. */
export default function PipelinesRoom() {
  const { pipelines: say } = useFileflowWords();
  const { page, change } = useAddress();
  const query = useLiveQuery(fileflowQueries.pipelines(page));
  return (
    <>
      <PageHead title={say.title} />
      <p className="max-w-3xl text-soft">{say.intro}</p>
      <Loaded query={query}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={say.none} hint={say.noneHint} />
          ) : (
            <>
              {data.items.map((pipeline) => (
                <Definition key={pipeline.code} pipeline={pipeline} />
              ))}
              <Paging page={data} onPage={(next) => change({ page: String(next) })} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Definition({ pipeline }: { pipeline: Pipeline }) {
  const { pipelines: say } = useFileflowWords();
  const number = useNumber();
  const { code, description, priority, executions } = pipeline;
  return (
    <Panel
      title={code}
      hint={description}
      aside={
        <p className="flex flex-wrap gap-x-3 text-xs">
          {priority !== 0 && <span className="text-faint">{say.priority(number(priority))}</span>}
          <Link to={executionsWith({ pipelineCode: code })}>
            {say.open(number(executions.pending), number(executions.running))}
            {executions.more && "+"}
          </Link>
        </p>
      }
    >
      <Match pipeline={pipeline} />
      <Stages pipeline={pipeline} />
    </Panel>
  );
}

function Match({ pipeline: { code, match } }: { pipeline: Pipeline }) {
  const { pipelines: say } = useFileflowWords();
  const conditions = [
    [say.types, match.mimeTypes.join(", ")],
    [say.tenants, match.tenantIds.join(", ")],
    [say.buckets, match.buckets.join(", ")],
    [say.prefix, match.prefix ?? ""],
  ].filter(([, value]) => value !== "");
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 px-3 py-2 text-soft sm:px-4">
      <span className="text-faint">{say.match}</span>
      {conditions.length === 0
        ? code === "default"
          ? say.any
          : say.named
        : conditions.map(([name, value]) => (
            <span key={name} className="min-w-0">
              {name} <span className="path font-mono text-xs text-ink">{value}</span>
            </span>
          ))}
    </p>
  );
}

function Stages({ pipeline: { code, stages } }: { pipeline: Pipeline }) {
  const { pipelines: say } = useFileflowWords();
  const number = useNumber();
  const columns: readonly Column[] = [
    { label: say.stage },
    { label: say.retry },
    { label: say.timeout, end: true },
    { label: say.limit, wide: true, end: true },
    { label: say.rollBack, wide: true, end: true },
  ];
  return (
    <Table label={`${code}: ${say.stages}`} columns={columns}>
      {stages.map(({ name, use, retry, timeoutMs, concurrency, rollBack }) => (
        <Row
          key={name}
          columns={columns}
          cells={[
            <span key="name">
              {name}
              {use !== name && <span className="text-xs text-faint"> ({use})</span>}
            </span>,
            retry.type === "none" ? say.retryOf.none : <Retry key="retry" retry={retry} />,
            <Took key="timeout" ms={timeoutMs} />,
            concurrency === null ? say.noLimit : number(concurrency),
            rollBack ? say.yes : say.no,
          ]}
        />
      ))}
    </Table>
  );
}

function Retry({ retry: { type, max, delayMs } }: { retry: Pipeline["stages"][number]["retry"] }) {
  const { pipelines: say } = useFileflowWords();
  const words = useWords();
  const number = useNumber();
  return <>{say.retryText(number(max), say.retryOf[type], spanText(delayMs, words))}</>;
}
