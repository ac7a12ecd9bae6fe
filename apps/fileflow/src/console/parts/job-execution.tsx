import { type JobDetail, Link, useAllowed } from "@andon/console/room";
import { FileCog } from "lucide-react";
import { executionAddress } from "../addresses.ts";
import { useFileflowWords } from "../i18n/words.ts";

/** Links a job of the queue to its execution, which has the same id. */
export default function JobExecution({ job: { id, payload } }: { job: JobDetail }) {
  const { jobPage: say } = useFileflowWords();
  const maySee = useAllowed({ permission: "pipeline.read" });
  if (!maySee) return null;
  return (
    <p
      data-job-execution
      className="flex flex-wrap items-center gap-x-2 rounded-lg border border-line bg-panel px-4 py-2.5"
    >
      <FileCog size={16} aria-hidden="true" className="text-soft" />
      <span className="text-soft">{say.execution}</span>
      <Link to={executionAddress(id)}>
        <span className="path font-medium">{objectOf(payload) ?? id}</span>
      </Link>
    </p>
  );
}

/** Any user of the library can add a job with any payload, so it may name no object. */
function objectOf(payload: unknown): string | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const { key, fileId } = payload as Record<string, unknown>;
  return [key, fileId].find((each) => typeof each === "string") as string | undefined;
}
