import { type JobDetail, Link, useAllowed } from "@andon/console/room";
import { Clapperboard } from "lucide-react";
import { taskAddress } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";

/** Links a job of the queue to its task. */
export default function JobTask({ job }: { job: JobDetail }) {
  const say = useStudioWords();
  const maySee = useAllowed({ permission: "tasks.read" });
  if (!maySee) return null;
  return (
    <p
      data-job-task
      className="flex flex-wrap items-center gap-x-2 rounded-lg border border-line bg-panel px-4 py-2.5"
    >
      <Clapperboard size={16} aria-hidden="true" className="text-soft" />
      <span className="text-soft">{say.toTask}</span>
      <Link to={taskAddress(job.id)}>
        <span className="font-medium wrap-anywhere">{titleOf(job) ?? say.openTask}</span>
      </Link>
    </p>
  );
}

/** Any user of the library can add a job with any payload, so the title may be missing. */
function titleOf({ payload }: JobDetail): string | undefined {
  const title = (payload as { title?: unknown } | null)?.title;
  return typeof title === "string" ? title : undefined;
}
