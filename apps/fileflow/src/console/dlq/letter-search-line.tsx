import { type Search, type SearchField, SearchLine, useLiveQuery } from "@andon/console/room";
import { DLQ_SOURCES, DLQ_STATES } from "../../contract/states.ts";
import { choices } from "../choices.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";

interface LetterSearchLineProps {
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

/** Every filter of the dead letters in one line; the states also have tabs. Suggests the most frequent error codes. */
export function LetterSearchLine({ search, onChange }: LetterSearchLineProps) {
  const { dlq: say, common } = useFileflowWords();
  const { data } = useLiveQuery(fileflowQueries.letterCounts());
  const fields: readonly SearchField[] = [
    {
      name: "state",
      term: "state",
      label: say.state,
      hint: say.hint.state,
      kind: "choice",
      values: choices(DLQ_STATES, common.letterState),
      isOffered: true,
      hasTabs: true,
    },
    {
      name: "source",
      term: "source",
      label: say.source,
      hint: say.hint.source,
      kind: "choice",
      values: choices(DLQ_SOURCES, common.letterSource),
      isOffered: true,
    },
    { name: "from", term: "from", label: common.from, hint: say.hint.from, kind: "time" },
    { name: "to", term: "to", label: common.to, hint: say.hint.to, kind: "time" },
    {
      name: "error",
      term: "error",
      label: say.error,
      hint: say.hint.error,
      kind: "text",
      values: data?.byError.map(({ error }) => ({ value: error, label: error })) ?? [],
      isOffered: true,
      isText: true,
    },
  ];
  return (
    <SearchLine
      label={say.find}
      placeholder={say.findPlaceholder}
      fields={fields}
      search={search}
      onChange={onChange}
    />
  );
}
