import { type JobDetail, Link, useAllowed } from "@andon/console/room";
import { File } from "lucide-react";
import { fileAddress } from "../addresses.ts";
import { useVaultWords } from "../i18n/words.ts";
import { fileOf } from "./file-of-job.ts";

/** A link from an operation to its file. */
export default function JobFile({ job }: { job: JobDetail }) {
  const { jobPage: say } = useVaultWords();
  const maySee = useAllowed({ permission: "files.read" });
  const file = fileOf(job);
  if (!file || !maySee) return null;
  return (
    <p
      data-job-file
      className="flex flex-wrap items-center gap-x-2 rounded-lg border border-line bg-panel px-4 py-2.5"
    >
      <File size={16} aria-hidden="true" className="text-soft" />
      <span className="text-soft">{say.file}</span>
      <Link to={fileAddress(file.id)}>
        <span className="font-medium wrap-anywhere">{file.name}</span>
      </Link>
    </p>
  );
}
