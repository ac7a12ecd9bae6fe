import { Button, Link, Loaded, Panel, useAllowed, useLiveQuery, useNumber } from "@andon/console/room";
import { type ReactNode, useState } from "react";
import { lettersWith } from "../addresses.ts";
import type { ExecutionCounts } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { BoundedCount } from "../marks.tsx";
import { fileflowQueries } from "../queries.ts";
import { type RetriedMany, RetryManyDialog } from "./retry-many-dialog.tsx";

/** The success rate of executions, the number of dead letters, and the most frequent errors. */
export function Figures() {
  const { figures: say } = useFileflowWords();
  const query = useLiveQuery(fileflowQueries.counts());
  return (
    <Loaded query={query} rows={2}>
      {(figures) => (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <Panel title={say.title}>
            <dl className="grid grid-cols-2 gap-px bg-line">
              <SuccessRate {...figures} />
              <DeadLetters />
            </dl>
          </Panel>
          <TopErrors errors={figures.topErrors} />
        </div>
      )}
    </Loaded>
  );
}

function Card({ name, hint, children }: { name: string; hint?: string; children: ReactNode }) {
  return (
    <div className="bg-panel px-3 py-2" title={hint}>
      <dt className="text-xs text-faint">{name}</dt>
      <dd className="text-lg font-semibold">{children}</dd>
    </div>
  );
}

function SuccessRate({
  counts: { COMPLETED, FAILED, TIMEOUT },
  more,
}: Pick<ExecutionCounts, "counts" | "more">) {
  const { figures: say } = useFileflowWords();
  const ended = COMPLETED + FAILED + TIMEOUT;
  return (
    <Card name={say.successRate} hint={say.successHint}>
      {ended === 0 || more.length > 0 ? "–" : `${((COMPLETED / ended) * 100).toFixed(1)} %`}
    </Card>
  );
}

function DeadLetters() {
  const { figures: say } = useFileflowWords();
  const number = useNumber();
  const mayRead = useAllowed({ permission: "dlq.read" });
  const { data } = useLiveQuery({ ...fileflowQueries.letterCounts(), enabled: mayRead });
  if (!data) return <Card name={say.deadLetters}>–</Card>;
  const { DEAD, QUARANTINED } = data.counts;
  return (
    <Card name={say.deadLetters}>
      <Link
        to={lettersWith({ state: "DEAD" })}
        className={`underline decoration-line-strong decoration-1 underline-offset-4 ${DEAD > 0 ? "text-stop-ink" : "text-ink"}`}
      >
        <BoundedCount value={DEAD} isMore={data.more.includes("DEAD")} />
      </Link>
      {QUARANTINED > 0 && (
        <p className="text-xs font-normal text-warn-ink">{say.quarantined(number(QUARANTINED))}</p>
      )}
    </Card>
  );
}

function TopErrors({ errors }: { errors: ExecutionCounts["topErrors"] }) {
  const { figures: say } = useFileflowWords();
  const number = useNumber();
  const mayRetry = useAllowed({ permission: "pipeline.retry" });
  const [open, setOpen] = useState<RetriedMany>();
  return (
    <Panel title={say.topErrors}>
      {errors.length === 0 ? (
        <p className="px-3 py-3 text-faint sm:px-4">{say.noErrors}</p>
      ) : (
        <ul className="divide-y divide-line">
          {errors.map(({ code, count }) => (
            <li key={code} className="flex items-center gap-3 px-3 py-1.5 sm:px-4">
              <span className="min-w-0 flex-1 font-mono wrap-anywhere">{code}</span>
              <span className="whitespace-nowrap">{say.times(number(count))}</span>
              {mayRetry && (
                <Button
                  aria-label={say.retryCode(code)}
                  onClick={() => setOpen({ filter: { errorCode: code } })}
                >
                  {say.retry}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {open && <RetryManyDialog which={open} onClose={() => setOpen(undefined)} />}
    </Panel>
  );
}
