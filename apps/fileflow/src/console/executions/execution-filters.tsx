import { Field, type Search, TextField, useLiveQuery } from "@andon/console/room";
import { EXECUTION_STATUSES, TRIGGER_TYPES } from "../../contract/states.ts";
import { FilterForm, localInput, sendForm } from "../filter-form.tsx";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";
import { EXECUTION_FILTERS } from "./execution-search.ts";

interface ExecutionFiltersProps {
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

export function ExecutionFilters({ search, onChange }: ExecutionFiltersProps) {
  const { executions: say, common, execution } = useFileflowWords();
  const { data: pipelines } = useLiveQuery(fileflowQueries.pipelines(1));
  const codes = new Set([
    ...(pipelines?.items.map(({ code }) => code) ?? []),
    ...(search.pipelineCode ? [search.pipelineCode] : []),
  ]);
  return (
    <FilterForm search={search} names={EXECUTION_FILTERS} onChange={onChange}>
      <Field label={say.status}>
        {(field) => (
          <select {...field} name="status" defaultValue={search.status ?? ""} onChange={sendForm}>
            <option value="">{common.all}</option>
            {EXECUTION_STATUSES.map((status) => (
              <option key={status} value={status}>
                {common.executionStatus[status]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={say.pipeline}>
        {(field) => (
          <select {...field} name="pipelineCode" defaultValue={search.pipelineCode ?? ""} onChange={sendForm}>
            <option value="">{common.all}</option>
            {[...codes].map((code) => (
              <option key={code}>{code}</option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        label={common.from}
        name="from"
        type="datetime-local"
        defaultValue={localInput(search.from)}
      />
      <TextField label={common.to} name="to" type="datetime-local" defaultValue={localInput(search.to)} />
      <TextField label={common.tenant} name="tenantId" maxLength={200} defaultValue={search.tenantId} />
      <TextField label={common.organization} name="orgId" maxLength={200} defaultValue={search.orgId} />
      <Field label={say.trigger}>
        {(field) => (
          <select {...field} name="triggerType" defaultValue={search.triggerType ?? ""} onChange={sendForm}>
            <option value="">{common.all}</option>
            {TRIGGER_TYPES.map((type) => (
              <option key={type} value={type}>
                {common.trigger[type]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        label={execution.file}
        name="fileId"
        type="search"
        maxLength={1_500}
        defaultValue={search.fileId}
        data-search
      />
    </FilterForm>
  );
}
