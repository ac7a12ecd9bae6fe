import type { JobDetail } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { NothingHere } from "../ui/empty.tsx";
import { Panel } from "../ui/panel.tsx";
import { Time } from "../ui/time.tsx";

/** People's decisions about the job, newest first. */
export function Decisions({ job: { audit } }: { job: JobDetail }) {
  const { job: say, action } = useWords();
  return (
    <Panel title={say.audit}>
      {audit.length === 0 ? (
        <NothingHere title={say.auditNone} />
      ) : (
        <ul className="divide-y divide-line">
          {audit.map((row) => (
            <li key={row.id} className="px-4 py-2">
              <p className="flex flex-wrap justify-between gap-x-3">
                <span className="font-medium">
                  {action[row.action] ?? row.action} · {row.actor}
                </span>
                <span className="text-xs text-faint">
                  <Time at={row.at} show="both" />
                </span>
              </p>
              {row.reason && <p className="text-soft">{row.reason}</p>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
