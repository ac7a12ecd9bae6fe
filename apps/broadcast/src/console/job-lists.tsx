import {
  type Column,
  Empty,
  Loaded,
  Paging,
  Panel,
  Row,
  Table,
  Time,
  useLiveQuery,
} from "@andon/console/room";
import { useState } from "react";
import { broadcastQueries } from "./api.ts";
import { useBroadcastWords } from "./i18n/words.ts";

/** The job's recipients. Their page number is not in the address, because the page shows two lists. */
export function Audience({ id }: { id: string }) {
  const say = useBroadcastWords();
  const [page, setPage] = useState(1);
  const query = useLiveQuery(broadcastQueries.audience(id, page));
  const columns: readonly Column[] = [
    { label: say.channel },
    { label: say.name, free: true },
    { label: say.notified, end: true },
  ];
  return (
    <Panel title={say.audience}>
      <Loaded query={query}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={say.noChannels} />
          ) : (
            <>
              <Table label={say.audience} columns={columns}>
                {data.items.map(({ channelId, name, isNotified }) => (
                  <Row
                    key={channelId}
                    columns={columns}
                    cells={[
                      <span key="id" className="path">
                        {channelId}
                      </span>,
                      name ?? "–",
                      isNotified ? say.yes : say.no,
                    ]}
                  />
                ))}
              </Table>
              <Paging page={data} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** The job's notifications, and whether their pushes are sent. */
export function Written({ id }: { id: string }) {
  const say = useBroadcastWords();
  const [page, setPage] = useState(1);
  const query = useLiveQuery(broadcastQueries.pushes(id, page));
  const columns: readonly Column[] = [{ label: say.channel }, { label: say.push, free: true }];
  return (
    <Panel title={say.written}>
      <Loaded query={query}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={say.nothingWritten} />
          ) : (
            <>
              <Table label={say.written} columns={columns}>
                {data.items.map((push) => (
                  <Row
                    key={push.id}
                    columns={columns}
                    cells={[
                      <span key="id" className="path">
                        {push.channelId}
                      </span>,
                      <div key="state">
                        {say.pushStates[push.state]} {push.sentAt && <Time at={push.sentAt} />}
                        {push.error && <p className="text-xs wrap-anywhere text-stop-ink">{push.error}</p>}
                      </div>,
                    ]}
                  />
                ))}
              </Table>
              <Paging page={data} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
