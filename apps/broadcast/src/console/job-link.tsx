import { type JobDetail, Link } from "@andon/console/room";
import { jobAddress } from "./api.ts";
import { useBroadcastWords } from "./i18n/words.ts";

/** Links a job of the queue to its page in this app. */
export default function JobLink({ job }: { job: JobDetail }) {
  const say = useBroadcastWords();
  return (
    <p className="px-4 py-2">
      <Link to={jobAddress(job.id)}>{say.toJob}</Link>
    </p>
  );
}
