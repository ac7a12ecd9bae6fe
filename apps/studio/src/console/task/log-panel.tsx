import { Panel, Time } from "@andon/console/room";
import type { Task } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { usePhaseName } from "../status-mark.tsx";

const INKS = { info: "", warning: "text-warn-ink", error: "text-stop-ink" } as const;

/** What the phases logged, newest first, because the newest line shows the current state. */
export function LogPanel({ logs }: { logs: Task["logs"] }) {
  const say = useStudioWords();
  const phaseName = usePhaseName();
  return (
    <Panel title={say.logs} hint={say.logsHint}>
      {logs.length === 0 ? (
        <p className="px-4 py-4 text-faint">{say.noLogs}</p>
      ) : (
        <ol
          className="max-h-96 divide-y divide-line overflow-y-auto"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
          tabIndex={0}
          aria-label={say.logs}
          data-log
        >
          {logs.toReversed().map(({ at, type, level, message }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name of their own
            <li key={`${at}-${index}`} className="px-3 py-1.5 sm:px-4">
              <p className="flex flex-wrap gap-x-2 text-xs text-faint">
                <Time at={at} show="absolute" />
                {type !== null && <span>{phaseName(type)}</span>}
              </p>
              <p className={`wrap-anywhere whitespace-pre-wrap ${INKS[level]}`}>{message}</p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
