import { JOB_STATES, type JobState } from "@andon/contract";
import { type JobSearch, queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import type { Search } from "../ui/address.ts";
import { jobsPath, Link } from "../ui/link.tsx";
import { useNumber } from "../ui/number.tsx";

/** Those that a person asks for have their tab whatever they count; the others while there are jobs in them. */
const ALWAYS: ReadonlySet<JobState> = new Set(["failed", "running", "ready", "done"]);
/** What needs a person first, then along a job's life. */
const ORDER: readonly JobState[] = ["failed", "running", "ready", "blocked", "scheduled", "parked", "done"];
const TABS = [...ORDER, ...JOB_STATES.filter((state) => !ORDER.includes(state))];

interface StateTabsProps {
  readonly search: Search;
  readonly filter: JobSearch;
}

/** The states of the jobs that the other filters match, each with its number. */
export function StateTabs({ search, filter }: StateTabsProps) {
  const words = useWords();
  const number = useNumber();
  const { data } = useLiveQuery(queries.jobCounts(filter));
  const more = data?.more ? "+" : "";
  const all = data && JOB_STATES.reduce((sum, state) => sum + (data.counts[state] ?? 0), 0);
  const shown = TABS.filter(
    (state) => ALWAYS.has(state) || state === filter.state || (data?.counts[state] ?? 0) > 0,
  );
  const tab = (state: JobState | undefined, label: string, count: number | undefined) => {
    const { cursor: _cursor, page: _page, state: _state, reverse: _reverse, ...rest } = search;
    const isHere = filter.state === state;
    const isBad = state === "failed" && count !== undefined && count > 0;
    return (
      <li key={label}>
        <Link
          to={jobsPath({ ...rest, state })}
          isCurrent={isHere}
          className="flex min-h-8 items-baseline gap-1.5 border-b-2 border-transparent px-2.5 py-1.5 whitespace-nowrap text-soft hover:text-ink data-current:border-accent data-current:font-semibold data-current:text-ink"
        >
          {label}
          <span className={`text-xs tabular-nums ${isBad ? "font-semibold text-stop-ink" : "text-faint"}`}>
            {count === undefined ? "" : `${number(count)}${more}`}
          </span>
        </Link>
      </li>
    );
  };
  return (
    <nav aria-label={words.line.states} className="border-b border-line px-1.5">
      <ul className="flex flex-wrap">
        {tab(undefined, words.common.all, all)}
        {shown.map((state) => tab(state, words.state[state], data?.counts[state] ?? (data ? 0 : undefined)))}
      </ul>
    </nav>
  );
}
