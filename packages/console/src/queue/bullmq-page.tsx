import { useState } from "react";
import type { FailedJob, QueueOverview } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { isAway } from "../board/trouble.tsx";
import { type DecidedJob, JobDecision } from "../job/job-decision.tsx";
import { useAllowed } from "../session/session.ts";
import { useAddress } from "../ui/address.ts";
import { useKeys } from "../ui/keyboard.ts";
import { failedJobPath } from "./bullmq-cause.tsx";
import { BullmqJob } from "./bullmq-job.tsx";
import { DecisionsOfQueue } from "./decisions-of-queue.tsx";
import { FailedJobs } from "./failed-jobs.tsx";
import { legalQueueActions, type QueueAction, QueueDecision } from "./queue-decision.tsx";
import { QueueHead } from "./queue-head.tsx";

type Open =
  | { readonly kind: "queue"; readonly action: QueueAction }
  | { readonly kind: "job"; readonly action: "retry" | "skip"; readonly job: DecidedJob };

/** The page of a BullMQ queue: its state and the reason, its failed jobs, and the possible decisions. */
export function BullmqPage({ queue }: { queue: QueueOverview }) {
  const { search, page, change } = useAddress();
  const [open, setOpen] = useState<Open>();
  const failed = useLiveQuery(queries.failed(queue.queue, page));
  const mayDecide = useAllowed({ permission: "queue.operate" });
  const mayDecideAll = useAllowed({ permission: "queue.operate", whole: true }) && !isAway(queue);
  const keyed = queue.state === "open" ? "pause" : "resume";
  const decideQueue = (action: QueueAction) => setOpen({ kind: "queue", action });
  const decideJob = (action: "retry" | "skip", { jobId }: Pick<FailedJob, "jobId">) =>
    setOpen({
      kind: "job",
      action,
      job: {
        id: jobId,
        ticket: jobId,
        queue: queue.queue,
        state: "failed",
        hasLane: false,
        isOfBullmq: true,
      },
    });
  useKeys(mayDecideAll ? { p: () => decideQueue(keyed) } : {});
  const close = () => setOpen(undefined);
  return (
    <>
      <QueueHead
        queue={queue}
        actions={mayDecideAll ? legalQueueActions(queue) : []}
        keyed={keyed}
        isUnworked={false}
        probe={undefined}
        onAction={decideQueue}
        onTryProbe={undefined}
        onCertificate={undefined}
      />
      {search.job && (
        <BullmqJob queue={queue.queue} id={search.job} onClose={() => change({ job: undefined })} />
      )}
      <FailedJobs
        queue={queue.queue}
        query={failed}
        onPage={(next) => change({ page: String(next) })}
        onAction={mayDecide ? decideJob : undefined}
        pathOf={({ jobId }) => failedJobPath(queue.queue, jobId)}
      />
      <DecisionsOfQueue queue={queue.queue} />
      {open?.kind === "queue" && <QueueDecision action={open.action} queue={queue} onClose={close} />}
      {open?.kind === "job" && <JobDecision action={open.action} job={open.job} onClose={close} />}
    </>
  );
}
