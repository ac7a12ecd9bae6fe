import { BookOpen } from "lucide-react";
import { useWords } from "../i18n/words.ts";
import { runbookName, runbookPath } from "../runbooks/pages.ts";
import { Link } from "./link.tsx";

/** A link to a runbook: an external page, or a page of the documentation, which the console contains. */
export function RunbookLink({ address }: { address: string }) {
  const { alerts: say } = useWords();
  const name = runbookName(address);
  const sign = <BookOpen size={13} aria-hidden="true" className="mr-1 inline-block align-[-2px]" />;
  if (name)
    return (
      <Link to={runbookPath(name)}>
        {sign}
        {say.runbook}
      </Link>
    );
  if (!/^https?:/.test(address)) {
    return (
      <span className="text-faint">
        {say.runbook}: <span className="font-mono wrap-anywhere">{address}</span>
      </span>
    );
  }
  return (
    <a href={address} target="_blank" rel="noreferrer" className="text-accent underline">
      {sign}
      {say.runbook}
    </a>
  );
}
