import {
  Button,
  Empty,
  Loaded,
  PageHead,
  Paging,
  useAddress,
  useAllowed,
  useLiveQuery,
  useNumber,
} from "@andon/console/room";
import { SearchX } from "lucide-react";
import { useState } from "react";
import type { ExecutionItem } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";
import { EXECUTION_FILTERS, executionSearch, retryFilter } from "./execution-search.ts";
import { ExecutionSearchLine } from "./execution-search-line.tsx";
import { ExecutionTable } from "./execution-table.tsx";
import { ExecutionTabs } from "./execution-tabs.tsx";
import { Figures } from "./figures.tsx";
import { FirstExecution } from "./first-execution.tsx";
import { type RetriedMany, RetryManyDialog } from "./retry-many-dialog.tsx";

/** Executions, newest first, with figures about successes and failures. */
export default function ExecutionsRoom() {
  const { executions: say } = useFileflowWords();
  const { search, page, change, narrow } = useAddress();
  const asked = executionSearch(search);
  const query = useLiveQuery(fileflowQueries.executions(asked, page));
  const isFiltered = Object.keys(asked).length > 0;
  // The first page of all executions is empty, so there is nothing to count or to filter.
  const isFirst = query.data?.items.length === 0 && !isFiltered && page === 1;
  const clear = () => narrow(Object.fromEntries(EXECUTION_FILTERS.map((name) => [name, undefined])));
  return (
    <>
      <PageHead title={say.title}>
        <RetryMany items={query.data?.items ?? []} filter={retryFilter(asked)} />
      </PageHead>
      {!isFirst && (
        <>
          <Figures />
          <ExecutionSearchLine search={search} onChange={narrow} />
        </>
      )}
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel shadow-panel">
        {!isFirst && <ExecutionTabs search={search} />}
        <Loaded query={query}>
          {(data) =>
            data.items.length > 0 ? (
              <>
                <ExecutionTable executions={data.items} />
                <Paging page={data} onPage={(next) => change({ page: String(next) })} />
              </>
            ) : isFirst ? (
              <FirstExecution />
            ) : (
              <Empty title={say.noneMatch} hint={say.noneMatchHint} icon={SearchX}>
                <Button tone="quiet" onClick={clear}>
                  {say.clear}
                </Button>
              </Empty>
            )
          }
        </Loaded>
      </section>
    </>
  );
}

interface RetryManyProps {
  readonly items: readonly ExecutionItem[];
  /** If set, a retry covers all executions that match it; otherwise only those on the page. */
  readonly filter: ReturnType<typeof retryFilter>;
}

function RetryMany({ items, filter }: RetryManyProps) {
  const { executions: say } = useFileflowWords();
  const number = useNumber();
  const mayRetry = useAllowed({ permission: "pipeline.retry" });
  const [open, setOpen] = useState<RetriedMany>();
  const ids = items
    .filter(({ status }) => status === "FAILED" || status === "TIMEOUT")
    .map(({ executionId }) => executionId);
  if (!mayRetry || (ids.length === 0 && !open)) return null;
  return (
    <>
      <Button onClick={() => setOpen(filter ? { filter } : { ids })}>
        {filter ? say.retryMatching : say.retryPage(number(ids.length))}
      </Button>
      {open && <RetryManyDialog which={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
