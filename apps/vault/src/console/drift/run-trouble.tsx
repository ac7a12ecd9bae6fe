import { jobPath, Link, queries, Time, useLiveQuery } from "@andon/console/room";
import { errorText } from "@andon/contract";
import { TriangleAlert } from "lucide-react";
import { useVaultWords } from "../i18n/words.ts";

/**
 * Why a running comparison makes no progress, and when it is tried again. Renders nothing while no attempt has failed.
 */
export function RunTrouble({ jobId }: { jobId: string }) {
  const { drift: say } = useVaultWords();
  const { data: job } = useLiveQuery(queries.job(jobId));
  const failed = job?.history.at(-1);
  if (!job || !failed) return null;
  return (
    <div
      role="status"
      className="mx-3 mb-3 flex items-start gap-2 rounded-md bg-warn-wash px-3 py-2 text-warn-ink sm:mx-4"
      data-drift-trouble
    >
      <TriangleAlert size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">
          {say.attemptFailed(failed.number)}{" "}
          {job.state === "scheduled" && job.runAt ? (
            <>
              {say.nextTry} <Time at={job.runAt} show="both" />
            </>
          ) : (
            say.triedNow
          )}
        </p>
        <p className="wrap-anywhere">
          <Link to={jobPath(jobId)} className="underline underline-offset-2">
            {errorText(failed)}
          </Link>
        </p>
      </div>
    </div>
  );
}
