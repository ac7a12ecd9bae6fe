import { Inbox, SearchX } from "lucide-react";
import { useState } from "react";
import { queries, useLiveQuery } from "../api/queries.ts";
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
import { SelectionBar } from "./selection-bar.tsx";
import { WaitingStates } from "./waiting-states.tsx";

type Selected = ReadonlySet<string> | "all";
const NONE: Selected = new Set<string>();

/** Any jobs by filter, and one decision about many of them through a plan. */
export default function JobsRoom() {
  const { jobs: say } = useWords();
  const { search, page, change, narrow } = useAddress();
  const [selected, setSelected] = useState<Selected>(NONE);
  const [action, setAction] = useState<PlannedAction>();
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
  useKeys({
    x: () => {
      const id = focusedRow()?.dataset.row;
      if (id && mayDecide) toggle(id);
    },
  });

  return (
    <>
      <PageHead title={say.title} />
      <JobFilters search={search} onChange={filterBy} />
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
                    queue={filter.queue}
                    state={filter.state}
                    onSelect={setSelected}
                    onPlan={setAction}
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
      {action && (
        <PlanDialog
          {...action}
          onClose={() => setAction(undefined)}
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
