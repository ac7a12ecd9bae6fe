import { JOB_STATES, type JobState } from "@andon/contract";
import { type JobSearch, queries, useLiveQuery } from "../api/queries.ts";
import { ListTabs } from "../finding/list-tabs.tsx";
import { useWords } from "../i18n/words.ts";
import type { Search } from "../ui/address.ts";
import { jobsPath } from "../ui/link.tsx";

/** The states that always have a tab. Other states have one only while they have jobs. */
const ALWAYS: ReadonlySet<JobState> = new Set(["failed", "running", "ready", "done"]);
/** Failed first, because it needs a person; then in the order of a job's lifecycle. */
const ORDER: readonly JobState[] = ["failed", "running", "ready", "blocked", "scheduled", "parked", "done"];
const TABS = [...ORDER, ...JOB_STATES.filter((state) => !ORDER.includes(state))];

interface StateTabsProps {
  readonly search: Search;
  readonly filter: JobSearch;
}

/** The states of the jobs that the other filters match, each with its number. */
export function StateTabs({ search, filter }: StateTabsProps) {
  const words = useWords();
  const { data } = useLiveQuery(queries.jobCounts(filter));
  const shown = TABS.filter(
    (state) => ALWAYS.has(state) || state === filter.state || (data?.counts[state] ?? 0) > 0,
  );
  const { cursor: _cursor, page: _page, state: _state, reverse: _reverse, ...rest } = search;
  const tab = (state: JobState | undefined, label: string, count: number | undefined) => ({
    key: state ?? "all",
    label,
    to: jobsPath({ ...rest, state }),
    isHere: filter.state === state,
    count,
    isMore: data?.more === true,
    isBad: state === "failed",
  });
  const all = data && JOB_STATES.reduce((sum, state) => sum + (data.counts[state] ?? 0), 0);
  return (
    <ListTabs
      label={words.line.states}
      tabs={[
        tab(undefined, words.common.all, all),
        ...shown.map((state) => tab(state, words.state[state], data && (data.counts[state] ?? 0))),
      ]}
    />
  );
}
