import type { FailureGroup } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { Time } from "../ui/time.tsx";

/** Earlier decisions about this cause, and whether they helped. */
export function Remedies({ group: { remedies, lastResolution } }: { group: FailureGroup }) {
  const { queue: say, cause } = useWords();
  const { retried, worked, failedAgain, skipped, last } = remedies;
  const newest = last[0];
  if (retried === 0 && skipped === 0) {
    return lastResolution ? (
      <div>
        <p>{lastResolution.reason ?? "–"}</p>
        <p className="text-xs text-faint">
          {say.settledBy(lastResolution.actor)} · <Time at={lastResolution.at} />
        </p>
      </div>
    ) : (
      <span className="whitespace-nowrap text-faint">{say.groupNever}</span>
    );
  }
  return (
    <div>
      {retried > 0 && (
        <p className={failedAgain > worked ? "text-warn-ink" : worked > 0 ? "text-run-ink" : ""}>
          {cause.retried(retried, worked)}
        </p>
      )}
      {skipped > 0 && <p>{cause.skipped(skipped)}</p>}
      {newest && (
        <p className="text-xs text-faint">
          {cause.last[newest.action]} {say.settledBy(newest.actor)} · <Time at={newest.at} />
          {newest.worked !== null && ` · ${newest.worked ? cause.worked : cause.failedAgain}`}
          {newest.reason && ` · “${newest.reason}”`}
        </p>
      )}
    </div>
  );
}
