import { Empty, Loaded, Panel, Time, useLiveQuery, useNumber } from "@andon/console/room";
import { ScrollText } from "lucide-react";
import type { Execution, StageLog } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";

export function StageLogs({ execution: { executionId } }: { execution: Execution }) {
  const { execution: say } = useFileflowWords();
  const query = useLiveQuery(fileflowQueries.logs(executionId));
  return (
    <Panel title={say.logs}>
      <Loaded query={query}>
        {({ stages }) =>
          stages.every(({ entries }) => entries.length === 0) ? (
            <Empty title={say.noLogs} hint={say.noLogsHint} icon={ScrollText} />
          ) : (
            stages.map((stage) => <StageEntries key={stage.name} stage={stage} />)
          )
        }
      </Loaded>
    </Panel>
  );
}

const TONES = { info: "text-soft", warn: "text-warn-ink", error: "text-stop-ink" } as const;

function StageEntries({ stage: { name, entries, logRef } }: { stage: StageLog }) {
  const { execution: say } = useFileflowWords();
  const number = useNumber();
  return (
    <section aria-label={name} className="border-t border-line px-3 py-2 first:border-t-0 sm:px-4">
      <h3 className="text-xs font-semibold text-faint">{name}</h3>
      <ul className="flex flex-col gap-0.5">
        {entries.map(({ at, level, attempt, code, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a log only grows at its end
          <li key={index} className={`grid gap-x-3 sm:grid-cols-[8rem_1fr] ${TONES[level]}`}>
            <span className="flex gap-x-2 text-xs text-faint">
              <Time at={at} show="absolute" />
              {attempt > 1 && say.attempt(number(attempt))}
            </span>
            <span className="min-w-0 wrap-anywhere">
              {level !== "info" && <strong className="font-medium">{say.level[level]} </strong>}
              {code && <span className="font-mono">{code} </span>}
              {message}
            </span>
          </li>
        ))}
      </ul>
      {logRef && (
        <p className="text-xs text-faint">
          {say.logRef}: <span className="path">{logRef}</span>
        </p>
      )}
    </section>
  );
}
