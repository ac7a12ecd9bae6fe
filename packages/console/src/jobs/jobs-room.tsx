import { Inbox, SearchX } from "lucide-react";
import { useState } from "react";
import { queries, useLiveQuery } from "../api/queries.ts";
import { type DecidedJob, JobDecision } from "../job/job-decision.tsx";
import { type Search, useAddress } from "../kit/address.ts";
import { Empty } from "../kit/empty.tsx";
import { focusedRow, useKeys } from "../kit/keyboard.ts";
import { Loaded } from "../kit/loaded.tsx";
import { Paging } from "../kit/paging.tsx";
import { PageHead } from "../kit/panel.tsx";
import { useAllowed } from "../session/session.ts";
import { useWords } from "../words/words.ts";
import { JobFilters } from "./job-filters.tsx";
import { jobSearchOf } from "./job-search.ts";
import { JobTable } from "./job-table.tsx";
import { PlanDialog, type PlannedAction } from "./plan-dialog.tsx";
import { actionsFor, hasAny, NONE, plansFor, type Selected } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { UnknownFilters } from "./unknown-filters.tsx";
import { WaitingStates } from "./waiting-states.tsx";

/** Any jobs by filter, and one decision about many of them through a plan. */
export default function JobsRoom() {
  const { jobs: say } = useWords();
  const { search, page, change, narrow } = useAddress();
  const [selected, setSelected] = useState<Selected>(NONE);
  const [planned, setPlanned] = useState<PlannedAction>();
  const [decided, setDecided] = useState<{ action: "retry" | "skip"; job: DecidedJob }>();
  const mayDecide = useAllowed({ permission: "queue.operate" });
  const filter = jobSearchOf(search);
  const query = useLiveQuery(queries.jobs(filter, page));

  const has = (id: string) => selected === "all" || selected.has(id);
  const toggle = (id: string) => {
    const next = new Set(selected === "all" ? query.data?.items.map((job) => job.id) : selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  const filterBy = (filters: Search) => {
    setSelected(NONE);
    narrow(filters);
  };
  const goToPage = (next: number) => {
    setSelected(NONE);
    change({ page: String(next) });
  };
  /** About what is selected, else about the row with the focus; nothing where it is not possible. */
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
      <PageHead title={say.title} />
      <JobFilters search={search} onChange={filterBy} />
      <UnknownFilters search={search} onChange={filterBy} />
      <WaitingStates search={search} onChange={filterBy} />
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel">
        <Loaded query={query} rows={8}>
          {(data) =>
            data.items.length === 0 ? (
              <NoJobs isFiltered={Object.keys(filter).length > 0} />
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
                  selection={mayDecide ? { has, toggle } : undefined}
                />
                <Paging page={data} onPage={goToPage} />
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

/** A filter that nothing fits is another thing than a store in which nothing was ever queued. */
function NoJobs({ isFiltered }: { isFiltered: boolean }) {
  const { jobs: say } = useWords();
  return isFiltered ? (
    <Empty title={say.none} hint={say.noneHint} icon={SearchX} />
  ) : (
    <Empty title={say.noneYet} hint={say.noneYetHint} icon={Inbox} />
  );
}
