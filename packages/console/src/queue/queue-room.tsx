import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { FailedJob, QueueOverview } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { OnQueue } from "../app-parts.tsx";
import { useUnworked } from "../board/unworked.ts";
import { HistoryPanel } from "../history/history-panel.tsx";
import { type DecidedJob, JobDecision } from "../job/job-decision.tsx";
import { rememberPage } from "../palette/recent.ts";
import { RunningNow } from "../running/running-now.tsx";
import { useAllowed } from "../session/session.ts";
import { useAddress } from "../ui/address.ts";
import { focusedRow, useKeys } from "../ui/keyboard.ts";
import { queuePath } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { BullmqPage } from "./bullmq-page.tsx";
import { Certificate } from "./certificate.tsx";
import { DecisionsOfQueue } from "./decisions-of-queue.tsx";
import { FailedJobs } from "./failed-jobs.tsx";
import { FailureGroups } from "./failure-groups.tsx";
import { HeldLanes } from "./held-lanes.tsx";
import { canTryNow, TryProbe, useProbe } from "./probe.tsx";
import { legalQueueActions, type QueueAction, QueueDecision } from "./queue-decision.tsx";
import { QueueHead } from "./queue-head.tsx";
import { QueueSkeleton } from "./queue-skeleton.tsx";
import { RampStatus } from "./ramp.tsx";
import { RunningOperations } from "./running-operations.tsx";
import { Stops } from "./stops.tsx";

export default function QueueRoom() {
  const { queue } = useParams({ strict: false }) as { queue: string };
  const query = useLiveQuery({ ...queries.queue(queue), placeholderData: () => knownFromBoard(queue) });
  if (query.data === undefined && !query.error) return <QueueSkeleton />;
  return (
    <Loaded query={query}>
      {(data) =>
        data.bullmq ? (
          <BullmqPage key={data.queue} queue={data} />
        ) : (
          <QueuePage key={data.queue} queue={data} />
        )
      }
    </Loaded>
  );
}

/** The queue from the board's data, so that its page is shown at once. */
function knownFromBoard(queue: string): QueueOverview | undefined {
  const known = queryClient.getQueryData<readonly QueueOverview[]>(queries.allQueues().queryKey);
  return known?.find((each) => each.queue === queue);
}

type Open =
  | { readonly kind: "probe" }
  | { readonly kind: "queue"; readonly action: QueueAction }
  | { readonly kind: "job"; readonly action: "retry" | "skip"; readonly job: DecidedJob };

/** The page of one queue: its state and the reason, its failed jobs, and the possible decisions. */
function QueuePage({ queue }: { queue: QueueOverview }) {
  const { search, page, change } = useAddress();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const failed = useLiveQuery(queries.failed(queue.queue, page));
  const mayDecide = useAllowed({ permission: "queue.operate" });
  const mayDecideAll = useAllowed({ permission: "queue.operate", whole: true });
  const isUnworked = useUnworked();
  const probe = useProbe(queue);
  const keyed = queue.state === "open" ? "pause" : "resume";
  useEffect(() => rememberPage({ label: queue.queue, path: queuePath(queue.queue) }), [queue.queue]);
  // The charts come first if nothing had failed when the page was opened. The order stays, so that nothing moves under the pointer.
  const [isQuiet] = useState(queue.failed === 0);
  const maySeeAll = useAllowed({ permission: "queue.read", whole: true });

  const decideJob = (action: "retry" | "skip", job: FailedJob) =>
    setOpen({ kind: "job", action, job: decidedJob(queue.queue, job) });
  // A dialog can disappear by itself with its probe: an answer that arrives later must not close another dialog.
  const close = () => setOpen((now) => (now === open ? undefined : now));
  const decideQueue = (action: QueueAction) => setOpen({ kind: "queue", action });
  const onKey = (action: "retry" | "skip") => () => {
    const items = failed.data?.items ?? [];
    const chosen = focusedRow()?.dataset.row;
    const job =
      items.find(({ syncEventId }) => syncEventId === chosen) ?? (items.length === 1 ? items[0] : undefined);
    if (job) decideJob(action, job);
    else document.querySelector<HTMLElement>("[data-failed] [data-row-link]")?.focus();
  };
  useKeys({
    ...(mayDecide ? { r: onKey("retry"), s: onKey("skip") } : {}),
    ...(mayDecideAll ? { p: () => decideQueue(keyed) } : {}),
  });

  const trouble = (
    <>
      <FailureGroups queue={queue.queue} failed={queue.failed} />
      <FailedJobs
        queue={queue.queue}
        query={failed}
        onPage={(next) => change({ page: String(next) })}
        onAction={mayDecide ? decideJob : undefined}
      />
      {maySeeAll && <HeldLanes queue={queue.queue} mayDecide={mayDecideAll} />}
    </>
  );
  const history = maySeeAll && <HistoryPanel queue={queue.queue} />;
  return (
    <>
      <QueueHead
        queue={queue}
        actions={mayDecideAll ? legalQueueActions(queue) : []}
        keyed={keyed}
        isUnworked={isUnworked(queue)}
        probe={probe}
        onAction={decideQueue}
        onTryProbe={mayDecide && canTryNow(probe) ? () => setOpen({ kind: "probe" }) : undefined}
        onCertificate={maySeeAll && queue.stopId ? () => change({ stop: queue.stopId ?? "" }) : undefined}
      />
      <RampStatus queue={queue} />
      <OnQueue queue={queue} />
      <RunningOperations queue={queue.queue} />
      {queue.active > 0 && <RunningNow queue={queue.queue} />}
      {isQuiet && history}
      {trouble}
      {!isQuiet && history}
      <DecisionsOfQueue queue={queue.queue} />
      {maySeeAll && <Stops queue={queue.queue} onOpen={(stop) => change({ stop })} />}
      {open?.kind === "queue" && (
        <QueueDecision
          action={open.action}
          queue={queue}
          onClose={close}
          onDone={open.action === "deleteQueue" ? () => navigate({ to: "/" }) : undefined}
        />
      )}
      {open?.kind === "probe" && probe && <TryProbe queue={queue.queue} probe={probe} onClose={close} />}
      {open?.kind === "job" && <JobDecision action={open.action} job={open.job} onClose={close} />}
      {search.stop && maySeeAll && (
        <Certificate queue={queue.queue} stopId={search.stop} onClose={() => change({ stop: undefined })} />
      )}
    </>
  );
}

function decidedJob(queue: string, job: FailedJob): DecidedJob {
  const hasLane = job.aggregateId !== job.syncEventId;
  return { id: job.syncEventId, ticket: job.jobId, queue, state: "failed", hasLane };
}
