import { Count, Link, useLiveQuery } from "@andon/console/room";
import { lettersWith } from "../addresses.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";

/** The error codes of the dead letters, the most frequent first. Each links to its list. */
export function LetterErrors() {
  const { dlq: say } = useFileflowWords();
  const { data } = useLiveQuery(fileflowQueries.letterCounts());
  if (!data || data.byError.length === 0) return null;
  return (
    <ul aria-label={say.byError} className="flex flex-wrap gap-x-4 gap-y-1">
      {data.byError.map(({ error, count }) => (
        <li key={error}>
          <Link to={lettersWith({ state: "DEAD", error })}>
            <span className="font-mono">{error}</span>
          </Link>{" "}
          <Count value={count} />
        </li>
      ))}
    </ul>
  );
}
