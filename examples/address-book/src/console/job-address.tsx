import { type JobDetail, Link } from "@andon/console/room";
import { useAddressWords } from "./words.ts";

/** Links the job that checks an address to the address book. */
export default function JobAddress({ job }: { job: JobDetail }) {
  const say = useAddressWords();
  const { email } = job.payload as { email: string };
  return (
    <p className="flex flex-wrap gap-x-2 rounded-lg border border-line bg-panel px-4 py-2.5">
      <span className="text-soft">{say.about}</span>
      <Link to="/address-book">{email}</Link>
    </p>
  );
}
