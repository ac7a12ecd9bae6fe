import { Count, Link, useLiveQuery } from "@andon/console/room";
import { DLQ_STATES } from "../../contract/states.ts";
import { DLQ } from "../addresses.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { BoundedCount } from "../marks.tsx";
import { fileflowQueries } from "../queries.ts";

const lettersWith = (filters: Record<string, string>) => `${DLQ}?${new URLSearchParams(filters)}`;

/** How many there are by state, and what the dead ones died of. Each leads to its list. */
export function LetterCounts() {
  const { dlq: say, common } = useFileflowWords();
  const { data } = useLiveQuery(fileflowQueries.letterCounts());
  if (!data) return null;
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-1 rounded-lg border border-line bg-panel px-3 py-2 sm:px-4">
      <ul aria-label={say.counts} className="flex flex-wrap gap-x-4">
        {DLQ_STATES.map((state) => (
          <li key={state} className="whitespace-nowrap">
            <Link to={lettersWith({ state })}>{common.letterState[state]}</Link>{" "}
            <strong className={state === "DEAD" && data.counts.DEAD > 0 ? "text-stop-ink" : ""}>
              <BoundedCount value={data.counts[state]} isMore={data.more.includes(state)} />
            </strong>
          </li>
        ))}
      </ul>
      {data.byError.length > 0 && (
        <ul aria-label={say.byError} className="flex flex-wrap gap-x-4">
          {data.byError.map(({ error, count }) => (
            <li key={error}>
              <Link to={lettersWith({ state: "DEAD", error })}>
                <span className="font-mono">{error}</span>
              </Link>{" "}
              <Count value={count} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
