import { ListTabs, type Search, useLiveQuery } from "@andon/console/room";
import { DLQ_STATES } from "../../contract/states.ts";
import { lettersWith } from "../addresses.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";
import { letterSearch } from "./letter-search.ts";

/**
 * The states of dead letters, with counts of all dead letters. With other filters the counts are hidden, because they would
 * not match the list.
 */
export function LetterTabs({ search }: { search: Search }) {
  const { dlq: say, common } = useFileflowWords();
  const { state: asked, ...others } = letterSearch(search);
  const isWhole = Object.keys(others).length === 0;
  const { data } = useLiveQuery(fileflowQueries.letterCounts());
  const filters = Object.fromEntries(
    Object.entries(others).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const tab = (state: (typeof DLQ_STATES)[number]) => ({
    key: state,
    label: common.letterState[state],
    to: lettersWith({ ...filters, state }),
    isHere: asked === state,
    count: isWhole ? data?.counts[state] : undefined,
    isMore: data?.more.includes(state) ?? false,
    isBad: state === "DEAD",
  });
  const all = { key: "all", label: common.all, to: lettersWith(filters), isHere: asked === undefined };
  return <ListTabs label={say.state} tabs={[all, ...DLQ_STATES.map(tab)]} />;
}
