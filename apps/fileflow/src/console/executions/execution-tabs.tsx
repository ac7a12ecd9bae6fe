import { ListTabs, type Search, useLiveQuery } from "@andon/console/room";
import type { EXECUTION_STATUSES } from "../../contract/states.ts";
import { executionsWith } from "../addresses.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";
import { executionSearch } from "./execution-search.ts";

/** First the statuses that need a person, then the order in which an execution passes through them. */
const ORDER = [
  "FAILED",
  "TIMEOUT",
  "RUNNING",
  "PENDING",
  "COMPLETED",
  "CANCELLED",
] as const satisfies readonly (typeof EXECUTION_STATUSES)[number][];
const BAD: readonly string[] = ["FAILED", "TIMEOUT"];

/**
 * The statuses of executions, with counts of all executions. With other filters the counts are hidden, because they would not
 * match the list.
 */
export function ExecutionTabs({ search }: { search: Search }) {
  const { executions: say, common } = useFileflowWords();
  const { status: asked, ...others } = executionSearch(search);
  const isWhole = Object.keys(others).length === 0;
  const { data } = useLiveQuery({ ...fileflowQueries.counts(), enabled: isWhole });
  const filters = Object.fromEntries(
    Object.entries(others).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const tab = (status: (typeof ORDER)[number]) => ({
    key: status,
    label: common.executionStatus[status],
    to: executionsWith({ ...filters, status }),
    isHere: asked === status,
    count: isWhole ? data?.counts[status] : undefined,
    isMore: data?.more.includes(status) ?? false,
    isBad: BAD.includes(status),
  });
  const all = { key: "all", label: common.all, to: executionsWith(filters), isHere: asked === undefined };
  return <ListTabs label={say.status} tabs={[all, ...ORDER.map(tab)]} />;
}
