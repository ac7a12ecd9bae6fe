import type { Stop } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { Button } from "../ui/button.tsx";
import { NothingHere } from "../ui/empty.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Panel } from "../ui/panel.tsx";
import { type Column, Row, Table } from "../ui/table.tsx";
import { Span, Time } from "../ui/time.tsx";

const NEWEST = 10;

/** The newest stops of the queue, each with its certificate. */
export function Stops({ queue, onOpen }: { queue: string; onOpen: (stopId: string) => void }) {
  const { queue: say } = useWords();
  const query = useLiveQuery(queries.stops(queue, NEWEST));
  const columns: readonly Column[] = [
    { label: say.stoppedAt, wide: true },
    { label: say.reason, free: true },
    { label: say.stood, wide: true },
    { label: say.resumedBy, wide: true, free: true },
    { label: say.certificate, silent: true, end: true },
  ];
  const cells = (stop: Stop) => [
    <Time key="at" at={stop.at} show="absolute" />,
    <div key="reason" className="min-w-28">
      <p>{stop.reason}</p>
      <p className="text-xs text-faint md:hidden">
        <Time at={stop.at} show="absolute" />
      </p>
      <p className="text-xs text-faint">
        {say.stopKind[stop.kind]} · {stop.actor}
      </p>
    </div>,
    stop.resumedAt ? <Span key="stood" from={stop.at} to={stop.resumedAt} /> : say.stillStands,
    stop.resumedBy ?? "–",
    <Button key="open" data-row-link onClick={() => onOpen(stop.id)}>
      {say.certificate}
    </Button>,
  ];
  return (
    <Panel title={say.stops}>
      <Loaded query={query} rows={1}>
        {(page) =>
          page.total === 0 ? (
            <NothingHere title={say.stopsNone} />
          ) : (
            <Table label={say.stops} columns={columns}>
              {page.items.map((stop) => (
                <Row key={stop.id} columns={columns} cells={cells(stop)} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </Panel>
  );
}
