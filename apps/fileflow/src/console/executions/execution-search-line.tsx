import { type Search, type SearchField, SearchLine, useLiveQuery } from "@andon/console/room";
import { EXECUTION_STATUSES, TRIGGER_TYPES } from "../../contract/states.ts";
import { choices } from "../choices.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";

interface ExecutionSearchLineProps {
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

/** Every filter of the executions in one line; the statuses also have tabs. */
export function ExecutionSearchLine({ search, onChange }: ExecutionSearchLineProps) {
  const { executions: say, common, execution } = useFileflowWords();
  const { data: pipelines } = useLiveQuery(fileflowQueries.pipelines(1));
  const codes = pipelines?.items.map(({ code }) => ({ value: code, label: code })) ?? [];
  const fields: readonly SearchField[] = [
    {
      name: "status",
      term: "status",
      label: say.status,
      hint: say.hint.status,
      kind: "choice",
      values: choices(EXECUTION_STATUSES, common.executionStatus),
      isOffered: true,
      hasTabs: true,
    },
    {
      name: "pipelineCode",
      term: "pipeline",
      label: say.pipeline,
      hint: say.hint.pipeline,
      kind: "text",
      values: codes,
      isOffered: true,
    },
    {
      name: "triggerType",
      term: "trigger",
      label: say.trigger,
      hint: say.hint.trigger,
      kind: "choice",
      values: choices(TRIGGER_TYPES, common.trigger),
      isOffered: true,
    },
    { name: "tenantId", term: "tenant", label: common.tenant, hint: say.hint.tenant, kind: "text" },
    {
      name: "orgId",
      term: "organization",
      label: common.organization,
      hint: say.hint.organization,
      kind: "text",
    },
    { name: "from", term: "from", label: common.from, hint: say.hint.from, kind: "time" },
    { name: "to", term: "to", label: common.to, hint: say.hint.to, kind: "time" },
    { name: "fileId", term: "file", label: execution.file, hint: say.hint.file, kind: "text", isText: true },
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
