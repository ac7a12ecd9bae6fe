import type { QueueOverview } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { useOpenAlerts } from "../shell/open-alerts.ts";
import { useAddress } from "../ui/address.ts";
import { Empty } from "../ui/empty.tsx";
import { Link } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Paging } from "../ui/paging.tsx";
import { PageHead } from "../ui/panel.tsx";
import { Attention } from "./attention.tsx";
import { QueueTile } from "./queue-tile.tsx";
import { ThroughputPanel } from "./throughput-panel.tsx";
import { lookOf } from "./trouble.tsx";
import { useUnworked } from "./unworked.ts";

const URGENCY = { stopped: 0, degraded: 1, troubled: 2, paused: 3, running: 4 };

/** Every queue as a lamp, what needs a person first. */
export default function Board() {
  const { board } = useWords();
  const { page, change } = useAddress();
  const query = useLiveQuery(queries.queues(page));
  const isUnworked = useUnworked();
  const urgency = (queue: QueueOverview) => URGENCY[lookOf({ queue, isUnworked: isUnworked(queue) })];
  return (
    <>
      <PageHead title={board.title}>
        <FiringAlerts />
      </PageHead>
      <Loaded query={query} rows={8}>
        {(data) => {
          if (data.total === 0) return <Empty title={board.noQueues} hint={board.noQueuesHint} />;
          const queues = data.items.toSorted((a, b) => urgency(a) - urgency(b));
          return (
            <>
              <Attention queues={queues} isUnworked={isUnworked} />
              <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-3">
                {queues.map((queue) => (
                  <li key={queue.queue}>
                    <QueueTile queue={queue} isUnworked={isUnworked(queue)} />
                  </li>
                ))}
              </ul>
              <Paging page={data} onPage={(next) => change({ page: String(next) })} />
              <ThroughputPanel queues={queues.map(({ queue }) => queue)} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function FiringAlerts() {
  const { board } = useWords();
  const open = useOpenAlerts();
  return open > 0 ? <Link to="/alerts?state=firing">{board.firing(open)}</Link> : null;
}
