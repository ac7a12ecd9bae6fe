import { Time } from "@andon/console/room";
import type { Execution } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";

/** Why the execution did not complete, shown first because operators ask that first. */
export function Failure({ execution: { error, cancel } }: { execution: Execution }) {
  const { execution: say } = useFileflowWords();
  return (
    <>
      {error && (
        <section
          aria-label={say.error}
          className="rounded-lg bg-stop-wash px-4 py-2.5 text-stop-ink wrap-anywhere"
        >
          <p className="font-medium">
            <span className="font-mono">{error.code}</span> {error.message}
          </p>
          {error.details &&
            Object.entries(error.details)
              .filter(([, value]) => value !== error.message)
              .map(([name, value]) => (
                <p key={name} className="text-xs">
                  {name}: {typeof value === "string" ? value : JSON.stringify(value)}
                </p>
              ))}
        </section>
      )}
      {cancel && (
        <p className="rounded-lg bg-warn-wash px-4 py-2.5 text-warn-ink wrap-anywhere">
          {say.cancelled} <Time at={cancel.at} show="both" />{" "}
          {say.cancelledBy(cancel.by, cancel.reason ?? say.noReason)}
        </p>
      )}
    </>
  );
}
