import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, Minus } from "lucide-react";
import type { Rehearsal as Rehearsed } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/empty.tsx";
import { Problem } from "../ui/problem.tsx";
import { spanText, Time } from "../ui/time.tsx";

interface RehearsalProps {
  readonly queue: string;
  /** Rehearses as if every failed job were retried first. */
  readonly retryFailed: boolean;
}

type Next = Rehearsed["next"][number];

const passes = ({ checks }: Next) => checks.every(({ ok }) => ok);

/** The rehearsal of a resume. It runs once, and again only on request, because it uses the destination. */
export function Rehearsal({ queue, retryFailed }: RehearsalProps) {
  const { rehearsal: say, common } = useWords();
  const query = useQuery(queries.rehearsal(queue, retryFailed));
  return (
    <section aria-label={say.title} data-rehearsal className="rounded-md border border-line bg-raised">
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-3 py-1.5">
        <h3 className="text-xs font-semibold text-soft">{say.title}</h3>
        <span className="flex flex-wrap items-center gap-2 text-xs text-faint">
          {query.data && (
            <span>
              {say.checkedAt} <Time at={new Date(query.dataUpdatedAt).toISOString()} />
            </span>
          )}
          <Button aria-disabled={query.isFetching} onClick={() => !query.isFetching && void query.refetch()}>
            {query.isFetching ? common.pending : say.again}
          </Button>
        </span>
      </header>
      {query.data ? (
        <Found rehearsal={query.data} />
      ) : query.error ? (
        <div className="p-2">
          <Problem error={query.error} of="question" />
        </div>
      ) : (
        <div role="status">
          <span className="sr-only">{common.loading}</span>
          <Skeleton rows={3} />
        </div>
      )}
    </section>
  );
}

function Found({ rehearsal: { destination, next, estimatedMs } }: { rehearsal: Rehearsed }) {
  const words = useWords();
  const say = words.rehearsal;
  const isAway = destination.ok === false;
  const failing = next.filter((job) => !passes(job)).length;
  return (
    <div role="status" className="flex flex-col gap-2 p-3">
      {(isAway || failing > 0) && (
        <p className="rounded-md bg-stop-wash px-3 py-2 text-stop-ink" data-warning>
          <strong className="font-semibold">
            {isAway ? say.allFailAgain : say.someWillFail(failing, next.length)}
          </strong>{" "}
          {say.stillAllowed}
        </p>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        <dt className="text-faint">{say.destination}</dt>
        <dd className={`wrap-anywhere ${isAway ? "font-medium text-stop-ink" : ""}`}>
          {destination.ok === null
            ? say.unasked
            : destination.ok
              ? say.answers(destination.latencyMs ?? 0)
              : say.away(destination.problem ?? "")}
        </dd>
        <dt className="text-faint">{say.toEmpty}</dt>
        <dd>{estimatedMs === null ? say.unknownTime : say.roughly(spanText(estimatedMs, words))}</dd>
      </dl>
      {next.length === 0 ? (
        <p className="text-soft">{say.nothingWaits}</p>
      ) : (
        <div>
          <h4 className="text-xs text-faint">{say.next}</h4>
          <ol className="mt-0.5 flex flex-col gap-0.5">
            {next.map((job) => (
              <NextJob key={job.syncEventId} job={job} isAway={isAway} />
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}

/** A job that will fail shows only its failed checks. */
function NextJob({ job, isAway }: { job: Next; isAway: boolean }) {
  const { rehearsal: say } = useWords();
  const isFine = passes(job);
  const isUnchecked = isFine && (job.checks.length === 0 || isAway);
  const Sign = isUnchecked ? Minus : isFine ? CircleCheck : CircleX;
  const told = isFine ? job.checks : job.checks.filter(({ ok }) => !ok);
  const tone = isUnchecked ? "text-faint" : isFine ? "text-run-ink" : "text-stop-ink";
  return (
    <li className="flex items-start gap-2">
      <Sign size={15} aria-hidden="true" className={`mt-1 shrink-0 ${tone}`} />
      <span className="shrink-0 font-mono font-medium">#{job.jobId}</span>
      <span className={`min-w-0 wrap-anywhere ${isFine ? "text-soft" : "text-stop-ink"}`}>
        {told.length === 0 ? (
          say.noChecks
        ) : (
          <>
            <span className="sr-only">{isFine ? say.passes : say.willFail}: </span>
            {told.map(({ name, detail }) => detail ?? name).join("; ")}
          </>
        )}
      </span>
    </li>
  );
}
