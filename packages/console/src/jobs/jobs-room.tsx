import { isReversible } from "@andon/contract";
import { Inbox, SearchX } from "lucide-react";
import { useState } from "react";
import { useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { type DecidedJob, JobDecision } from "../job/job-decision.tsx";
import { useAllowed } from "../session/session.ts";
import { type Search, useAddress } from "../ui/address.ts";
import { Empty } from "../ui/empty.tsx";
import { focusedRow, useKeys } from "../ui/keyboard.ts";
import { Loaded } from "../ui/loaded.tsx";
import { Paging } from "../ui/paging.tsx";
import { PageHead } from "../ui/panel.tsx";
import { jobListAsked, jobSearchOf } from "./job-search.ts";
import { JobSearchLine } from "./job-search-line.tsx";
import { JobTable } from "./job-table.tsx";
import { PlanDialog, type PlannedAction } from "./plan-dialog.tsx";
import { SavedViews } from "./saved-views.tsx";
import { SearchFurther } from "./search-further.tsx";
import { actionsFor, hasAny, NONE, plansFor, type Selected } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { StateTabs } from "./state-tabs.tsx";
import { UnknownFilters } from "./unknown-filters.tsx";

/** Jobs by filter, with plans for decisions over many of them. */
export default function JobsRoom() {
  const { jobs: say } = useWords();
  const { search, change, narrow } = useAddress();
  const [selection, setSelection] = useState<{ readonly of: string; readonly selected: Selected }>();
  const [planned, setPlanned] = useState<PlannedAction>();
  const [decided, setDecided] = useState<{ action: "retry" | "skip"; job: DecidedJob }>();
  const mayDecide = useAllowed({ permission: "queue.operate" });
  const filter = jobSearchOf(search);
  const mayReverse = isReversible(filter);
  const isReversed = mayReverse && search.reverse === "true";
  const query = useLiveQuery(jobListAsked(search)[0]);
  // A selection belongs to one list: it is empty after a change of filters.
  const shown = JSON.stringify(search);
  const selected = selection?.of === shown ? selection.selected : NONE;
  const setSelected = (next: Selected) => setSelection({ of: shown, selected: next });

  const has = (id: string) => selected === "all" || selected.has(id);
  const toggle = (id: string) => {
    const next = new Set(selected === "all" ? query.data?.items.map((job) => job.id) : selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  const filterBy = (filters: Search) => narrow({ ...filters, cursor: undefined, reverse: undefined });
  const searchFurther = (cursor: string) => change({ cursor, page: undefined });
  const reverse = () => change({ reverse: isReversed ? undefined : "true", page: undefined });
  const goToPage = (next: number) => change({ page: String(next) });
  /** Applies to the selection, else to the row with the focus; does nothing if the action is not possible. */
  const onKey = (action: "retry" | "skip") => () => {
    const jobs = query.data?.items ?? [];
    if (hasAny(selected)) {
      setPlanned(plansFor(selected, jobs, filter).find((plan) => plan.action === action));
      return;
    }
    const job = jobs.find(({ id }) => id === focusedRow()?.dataset.row);
    if (!job || !actionsFor(job.state).includes(action)) return;
    setDecided({ action, job: { ...job, hasLane: job.keys.length > 0 } });
  };
  const onSelectKey = () => {
    const id = focusedRow()?.dataset.row;
    if (id) toggle(id);
  };
  useKeys(mayDecide ? { x: onSelectKey, r: onKey("retry"), s: onKey("skip") } : {});

  return (
    <>
      <PageHead title={say.title}>
        <SavedViews search={search} />
      </PageHead>
      <JobSearchLine search={search} jobs={query.data?.items ?? []} onChange={filterBy} />
      <UnknownFilters search={search} onChange={filterBy} />
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel shadow-panel">
        <StateTabs search={search} filter={filter} />
        <Loaded query={query} rows={8}>
          {(data) =>
            data.items.length === 0 ? (
              <>
                <NoJobs isFiltered={Object.keys(filter).length > 0} isPart={data.cursor !== undefined} />
                <SearchFurther found={data} onSearch={searchFurther} />
              </>
            ) : (
              <>
                {mayDecide && (
                  <SelectionBar
                    selected={selected}
                    jobs={data.items}
                    total={data.total}
                    more={data.more === true}
                    filter={filter}
                    onSelect={setSelected}
                    onPlan={setPlanned}
                  />
                )}
                <JobTable
                  label={say.title}
                  jobs={data.items}
                  state={filter.state}
                  order={mayReverse ? { isReversed, onReverse: reverse } : undefined}
                  selection={mayDecide ? { has, toggle } : undefined}
                />
                {search.cursor === undefined && <Paging page={data} onPage={goToPage} />}
                <SearchFurther found={data} onSearch={searchFurther} />
              </>
            )
          }
        </Loaded>
      </section>
      {decided && <JobDecision {...decided} onClose={() => setDecided(undefined)} />}
      {planned && (
        <PlanDialog
          {...planned}
          onClose={() => setPlanned(undefined)}
          onDone={() => setSelected(NONE)}
          filter={filter}
        />
      )}
    </>
  );
}

/** An empty list has different texts with and without a filter. `isPart`: the search has not looked at all jobs yet. */
function NoJobs({ isFiltered, isPart }: { isFiltered: boolean; isPart: boolean }) {
  const { jobs: say } = useWords();
  return isFiltered ? (
    <Empty
      title={isPart ? say.noneSoFar : say.none}
      hint={isPart ? say.notAll : say.noneHint}
      icon={SearchX}
    />
  ) : (
    <Empty title={say.noneYet} hint={say.noneYetHint} icon={Inbox} />
  );
}
