import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { useAddress } from "../ui/address.ts";
import { Empty } from "../ui/empty.tsx";
import { Link, queuePath } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Name } from "../ui/name.tsx";
import { Count } from "../ui/number.tsx";
import { Paging } from "../ui/paging.tsx";
import { PageHead } from "../ui/panel.tsx";
import { type Column, Row, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { WorkerName } from "../ui/worker-name.tsx";

export default function WorkersRoom() {
  const { workers: say } = useWords();
  const { page, change } = useAddress();
  const query = useLiveQuery(queries.workers(page));
  const columns: readonly Column[] = [
    { label: say.host, free: true },
    { label: say.queues },
    { label: say.running, end: true },
    { label: say.started, wide: true },
  ];
  return (
    <>
      <PageHead title={say.title} />
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel shadow-panel">
        <Loaded query={query}>
          {(data) =>
            data.items.length === 0 ? (
              <Empty title={say.none} hint={say.noneHint} />
            ) : (
              <>
                <Table label={say.title} columns={columns}>
                  {data.items.map((worker) => (
                    <Row
                      key={worker.id}
                      columns={columns}
                      cells={[
                        <div key="host" className="min-w-28">
                          <p className="font-medium">{worker.host}</p>
                          <p className="text-xs text-faint">
                            {say.pid} {worker.pid} · <WorkerName id={worker.id} />
                          </p>
                        </div>,
                        <ul key="queues" className="flex flex-wrap gap-1">
                          {worker.queues.map((queue) => (
                            <li key={queue}>
                              <Link
                                row
                                to={queuePath(queue)}
                                className="inline-block rounded bg-raised px-1.5 py-0.5 text-xs text-ink hover:bg-accent-wash hover:underline"
                              >
                                <Name>{queue}</Name>
                              </Link>
                            </li>
                          ))}
                        </ul>,
                        <Count key="running" value={worker.running} />,
                        <Time key="started" at={worker.startedAt} show="both" />,
                      ]}
                    />
                  ))}
                </Table>
                <Paging page={data} onPage={(next) => change({ page: String(next) })} />
              </>
            )
          }
        </Loaded>
      </section>
    </>
  );
}
