import {
  Button,
  type Column,
  DecisionDialog,
  Empty,
  Loaded,
  PageHead,
  Paging,
  Row,
  Table,
  Time,
  useAddress,
  useAllowed,
  useLiveQuery,
  useNumber,
} from "@andon/console/room";
import { useState } from "react";
import { broadcast, broadcastQueries } from "./api.ts";
import { useBroadcastWords } from "./i18n/words.ts";

/** Channels by id: those that a bulk job would notify if it started now. */
export default function ChannelsRoom() {
  const say = useBroadcastWords();
  const { page, change } = useAddress();
  const [open, setOpen] = useState<string>();
  const mayOperate = useAllowed({ permission: "bulk.operate" });
  const query = useLiveQuery(broadcastQueries.channels(page));
  const columns: readonly Column[] = [
    { label: say.channel },
    { label: say.name, free: true },
    { label: say.created, wide: true },
    ...(mayOperate ? [{ label: say.actions, silent: true, end: true }] : []),
  ];
  return (
    <>
      <PageHead title={say.channels} />
      <LastImport />
      <section aria-label={say.channels} className="rounded-lg border border-line bg-panel shadow-panel">
        <Loaded query={query}>
          {(data) =>
            data.items.length === 0 ? (
              <Empty title={say.noChannels} hint={say.noChannelsHint} />
            ) : (
              <>
                <Table label={say.channels} columns={columns}>
                  {data.items.map(({ id, tenantId, name, createdAt }) => (
                    <Row
                      key={`${tenantId}/${id}`}
                      columns={columns}
                      cells={[
                        <span key="id" className="path">
                          {id}
                        </span>,
                        name ?? "–",
                        <Time key="at" at={createdAt} />,
                        mayOperate && (
                          <Button
                            key="remove"
                            aria-label={say.removeChannelTitle(id)}
                            onClick={() => setOpen(id)}
                          >
                            {say.removeChannel}
                          </Button>
                        ),
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
      {open !== undefined && <RemoveChannel id={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** The progress or the result of the newest large import. */
function LastImport() {
  const say = useBroadcastWords();
  const number = useNumber();
  const found = useLiveQuery(broadcastQueries.lastImport).data?.items[0];
  if (!found) return null;
  return (
    <p className="text-sm text-faint" data-import={found.state}>
      {say.imports[found.state](number(found.stored), found.createdBy)} <Time at={found.updatedAt} />
    </p>
  );
}

function RemoveChannel({ id, onClose }: { id: string; onClose: () => void }) {
  const say = useBroadcastWords();
  const decide = async () => {
    await broadcast().channels.remove({ id });
    return { message: say.channelRemoved(id) };
  };
  return (
    <DecisionDialog
      title={say.removeChannelTitle(id)}
      effects={[say.removeChannelEffect]}
      confirm={say.removeChannel}
      tone="stop"
      reason="none"
      decide={decide}
      onClose={onClose}
    />
  );
}
