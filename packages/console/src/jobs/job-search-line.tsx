import { JOB_STATES } from "@andon/contract";
import { useQuery } from "@tanstack/react-query";
import type { JobSummary } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import type { SearchField } from "../finding/search-field.ts";
import { SearchLine } from "../finding/search-line.tsx";
import { useWords } from "../i18n/words.ts";
import type { Search } from "../ui/address.ts";
import { FILTERS, type Filter } from "./job-search.ts";

/** The name of each filter when typed. */
const TERM: Record<Filter, string> = {
  queue: "queue",
  state: "state",
  name: "kind",
  key: "key",
  tenantId: "tenant",
  code: "code",
  fingerprint: "fingerprint",
  from: "from",
  to: "to",
  text: "text",
};

const KIND: Partial<Record<Filter, SearchField["kind"]>> = { state: "choice", from: "time", to: "time" };
/** Filters whose values are suggested for a word without a term. */
const OFFERED: ReadonlySet<Filter> = new Set(["queue", "state", "name", "code", "key"]);

interface JobSearchLineProps {
  readonly search: Search;
  /** The jobs on the page, whose values are suggested. */
  readonly jobs: readonly JobSummary[];
  readonly onChange: (search: Search) => void;
}

/** The search line of the jobs. Suggestions need no request: they are from the known queues and the jobs on the page. */
export function JobSearchLine({ search, jobs, onChange }: JobSearchLineProps) {
  const { line, state } = useWords();
  const { data: queues } = useQuery(queries.queues(1));
  const known: Partial<Record<Filter, readonly string[]>> = {
    queue: queues?.items.map(({ queue }) => queue) ?? [],
    name: jobs.map(({ name }) => name),
    key: jobs.flatMap(({ keys }) => keys),
    tenantId: jobs.map(({ tenantId }) => tenantId),
    code: jobs.flatMap(({ error }) => (error ? [error.code] : [])),
    fingerprint: jobs.flatMap(({ error }) => (error ? [error.fingerprint] : [])),
  };
  const fields = FILTERS.map((name) => ({
    name,
    term: TERM[name],
    label: line.field[name],
    hint: line.hint[name],
    kind: KIND[name] ?? "text",
    values:
      name === "state"
        ? JOB_STATES.map((each) => ({ value: each, label: state[each] }))
        : (known[name] ?? []).map((value) => ({ value, label: value })),
    isOffered: OFFERED.has(name),
    hasTabs: name === "state",
    isText: name === "text",
  }));
  return (
    <SearchLine
      label={line.label}
      placeholder={line.placeholder}
      fields={fields}
      search={search}
      onChange={onChange}
    />
  );
}
