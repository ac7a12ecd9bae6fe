import { RefusedError } from "@andon/client";
import { ListChecks } from "lucide-react";
import { useState } from "react";
import { api, type Operation } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { useWords } from "../i18n/words.ts";
import { useAllowed } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Empty } from "../ui/empty.tsx";
import { Link, queuePath } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { notify } from "../ui/notice.ts";
import { LeftOutJobs, OperationProgress } from "../ui/operation-progress.tsx";
import { Problem } from "../ui/problem.tsx";
import { Time } from "../ui/time.tsx";

/** Decisions over many jobs: the progress of running ones, and the results of the last ones. */
export default function OperationsDialog({ onClose }: { onClose: () => void }) {
  const { work: say } = useWords();
  const query = useLiveQuery(queries.allOperations());
  return (
    <Dialog title={say.title} onClose={onClose} wide>
      <Loaded query={query}>
        {({ items }) => {
          const running = items.filter(({ state }) => state === "RUNNING");
          const past = items.filter(({ state }) => state !== "RUNNING");
          if (items.length === 0) return <Empty title={say.none} hint={say.noneHint} icon={ListChecks} />;
          return (
            <>
              {running.map((operation) => (
                <Running key={operation.id} operation={operation} onFollow={onClose} />
              ))}
              {past.length > 0 && (
                <section aria-label={say.past}>
                  <h3 className="text-xs font-semibold text-faint">{say.past}</h3>
                  <ul className="divide-y divide-line">
                    {past.map((operation) => (
                      <Ended key={operation.id} operation={operation} onFollow={onClose} />
                    ))}
                  </ul>
                </section>
              )}
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

interface OfOperation {
  readonly operation: Operation;
  readonly onFollow: () => void;
}

function Running({ operation, onFollow }: OfOperation) {
  const { work: say, act } = useWords();
  const mayDecide = useAllowed({ permission: "queue.operate" });
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const cancel = async () => {
    setPending(true);
    try {
      await api().operations.cancel({ id: operation.id });
      notify(say.cancelled);
    } catch (refused) {
      // The operation has ended in the meantime, which the list shows.
      if (!(refused instanceof RefusedError && refused.code === "OPERATION_ENDED")) setError(refused);
    } finally {
      setPending(false);
      void queryClient.invalidateQueries();
    }
  };
  return (
    <section className="flex flex-col gap-2 rounded-md border border-line p-3" data-running-operation>
      <OperationProgress operation={operation} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <About operation={operation} onFollow={onFollow} />
        {mayDecide && (
          <Button
            aria-label={say.cancelOf(act.operation.of[operation.action])}
            disabled={isPending}
            onClick={() => void cancel()}
          >
            {say.cancel}
          </Button>
        )}
      </div>
      {error !== undefined && <Problem error={error} of="decision" />}
    </section>
  );
}

function Ended({ operation, onFollow }: OfOperation) {
  const { work: say, act } = useWords();
  const { state, action, done, leftOut, problem } = operation;
  return (
    <li className="py-2.5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{act.operation.of[action]}</span>
        <span className={state === "FAILED" ? "text-stop-ink" : "text-soft"}>
          {say.state[state]} · {say.result(done, leftOut.count)}
        </span>
      </p>
      {problem && <p className="wrap-anywhere text-stop-ink">{problem}</p>}
      <About operation={operation} onFollow={onFollow} />
      <LeftOutJobs leftOut={leftOut} />
    </li>
  );
}

function About({ operation: { queue, actor, reason, createdAt, finishedAt }, onFollow }: OfOperation) {
  return (
    <p className="text-xs wrap-anywhere text-faint">
      <Link to={queuePath(queue)} onFollow={onFollow}>
        {queue}
      </Link>
      {` · ${actor} · `}
      <Time at={finishedAt ?? createdAt} />
      {reason && ` · ${reason}`}
    </p>
  );
}
