import { DEMO_QUEUE } from "@andon/contract";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useMemo, useState } from "react";
import type { QueueOverview } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { isUnanswered } from "../api/unanswered.ts";
import { useWords } from "../i18n/words.ts";
import { RunningNow } from "../running/running-now.tsx";
import { useAllowed } from "../session/session.ts";
import { useOpenAlerts } from "../shell/open-alerts.ts";
import { useAddress } from "../ui/address.ts";
import { Empty } from "../ui/empty.tsx";
import { INPUT } from "../ui/field.tsx";
import { moveToRow, useKeys } from "../ui/keyboard.ts";
import { Link, queuePath } from "../ui/link.tsx";
import { pageIn } from "../ui/page-in.ts";
import { Paging } from "../ui/paging.tsx";
import { PageHead } from "../ui/panel.tsx";
import { Problem } from "../ui/problem.tsx";
import { Attention } from "./attention.tsx";
import { BoardSkeleton } from "./board-skeleton.tsx";
import { useDensity } from "./density.ts";
import { DensitySwitch } from "./density-switch.tsx";
import { isUnused } from "./first-steps.ts";
import { GuidedDemo } from "./guided-demo.tsx";
import { QueueTable, type Recent } from "./queue-table.tsx";
import { orderIn, sortQueues } from "./sort-queues.ts";
import { ThroughputPanel } from "./throughput-panel.tsx";
import { lookOf } from "./trouble.tsx";
import { useUnworked } from "./unworked.ts";

/** The most rows that a page can redraw twice a second. */
const MOST_ROWS = 200;

/** Every queue as a row, queues that need a person first. */
export default function Board() {
  const { board } = useWords();
  const query = useLiveQuery(queries.allQueues());
  if (query.data) return <Queues queues={query.data} error={query.error} />;
  return (
    <>
      <PageHead title={board.title}>
        <FiringAlerts />
      </PageHead>
      {query.error ? <Problem error={query.error} onRetry={() => void query.refetch()} /> : <BoardSkeleton />}
    </>
  );
}

interface QueuesProps {
  readonly queues: readonly QueueOverview[];
  /** Why the last refresh failed. */
  readonly error: Error | null;
}

function Queues({ queues, error }: QueuesProps) {
  const { board, overview } = useWords();
  const { search, change } = useAddress();
  const navigate = useNavigate();
  const isUnworked = useUnworked();
  const recent = useRecent();
  const [filter, setFilter] = useState("");
  const look = (queue: QueueOverview) => lookOf({ queue, isUnworked: isUnworked(queue) });
  const order = orderIn(search.sort);
  const sorted = sortQueues(queues, order, look);
  const density = useDensity(queues.length);
  if (queues.length === 0) {
    return (
      <>
        <PageHead title={board.title} />
        <Empty title={board.noQueues} hint={board.noQueuesHint} />
      </>
    );
  }

  const demo = queues.find(({ queue }) => queue === DEMO_QUEUE);
  const wanted = filter.trim().toLowerCase();
  const isFiltered = wanted !== "";
  const matching = isFiltered ? sorted.filter(({ queue }) => queue.toLowerCase().includes(wanted)) : sorted;
  const isFolded = (queue: QueueOverview) => !isFiltered && queue.isSystem && look(queue) === "running";
  const shown = matching.filter((queue) => !isFolded(queue));
  const page = Math.min(pageIn(search.page), Math.max(1, Math.ceil(shown.length / MOST_ROWS)));
  const onFilterKey = (event: KeyboardEvent) => {
    const [only] = shown;
    if (event.key === "Enter" && isFiltered && only) void navigate({ to: queuePath(only.queue) });
    else if (event.key === "ArrowDown") moveToRow(1);
    else if (event.key === "Escape") setFilter("");
    else return;
    event.preventDefault();
  };
  return (
    <>
      <PageHead title={board.title}>
        <FiringAlerts />
        <QueueFilter value={filter} onChange={setFilter} onKeyDown={onFilterKey} />
        <DensitySwitch density={density} />
      </PageHead>
      {error && !isUnanswered(error) && <Problem error={error} />}
      <Attention
        queues={sortQueues(queues, orderIn(undefined), look)}
        isUnworked={isUnworked}
        density={density}
      />
      {(demo || isUnused(queues)) && <GuidedDemo queue={demo} />}
      <section
        aria-label={overview.title}
        className="rounded-lg border border-line bg-panel shadow-panel"
        data-wide={density === "compact" || undefined}
      >
        <QueueTable
          queues={shown.slice((page - 1) * MOST_ROWS, page * MOST_ROWS)}
          folded={matching.filter(isFolded)}
          order={order}
          onOrder={(sort) => change({ sort, page: undefined })}
          lookOf={look}
          isUnworked={isUnworked}
          recent={recent}
          density={density}
        />
        {shown.length === 0 && isFiltered && (
          <p className="px-3 py-3 text-soft">{overview.noMatch(filter)}</p>
        )}
        <Paging
          page={{ total: shown.length, page, limit: MOST_ROWS }}
          onPage={(next) => change({ page: String(next) })}
        />
      </section>
      <div className="grid items-start gap-4 xl:grid-cols-[3fr_2fr]">
        <RunningNow />
        <ThroughputPanel queues={queues} />
      </div>
    </>
  );
}

interface QueueFilterProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function QueueFilter({ value, onChange, onKeyDown }: QueueFilterProps) {
  const { overview } = useWords();
  useKeys({ f: () => document.querySelector<HTMLElement>("[data-queue-filter]")?.focus() });
  return (
    <input
      type="search"
      data-queue-filter=""
      aria-label={overview.filter}
      aria-keyshortcuts="f"
      placeholder={overview.filter}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={onKeyDown}
      className={`${INPUT} sm:w-56`}
    />
  );
}

/** The last hour of every queue; nothing for a key with a scope, because there are no counts per tenant. */
function useRecent(): Recent | undefined {
  const maySee = useAllowed({ permission: "queue.read", whole: true });
  const { data } = useLiveQuery({ ...queries.recent(), enabled: maySee });
  return useMemo(
    () =>
      data && {
        from: Date.parse(data.from),
        of: new Map(data.queues.map(({ queue, ...ends }) => [queue, ends])),
      },
    [data],
  );
}

function FiringAlerts() {
  const { board } = useWords();
  const open = useOpenAlerts();
  return open > 0 ? <Link to="/alerts?state=firing">{board.firing(open)}</Link> : null;
}
