import { Field, type Search, TextField } from "@andon/console/room";
import { DLQ_SOURCES, DLQ_STATES } from "../../contract/states.ts";
import { FilterForm, localInput, sendForm } from "../filter-form.tsx";
import { useFileflowWords } from "../i18n/words.ts";
import { LETTER_FILTERS } from "./letter-search.ts";

interface LetterFiltersProps {
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

export function LetterFilters({ search, onChange }: LetterFiltersProps) {
  const { dlq: say, common } = useFileflowWords();
  return (
    <FilterForm search={search} names={LETTER_FILTERS} onChange={onChange}>
      <Field label={say.state}>
        {(field) => (
          <select {...field} name="state" defaultValue={search.state ?? ""} onChange={sendForm}>
            <option value="">{common.all}</option>
            {DLQ_STATES.map((state) => (
              <option key={state} value={state}>
                {common.letterState[state]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={say.source}>
        {(field) => (
          <select {...field} name="source" defaultValue={search.source ?? ""} onChange={sendForm}>
            <option value="">{common.all}</option>
            {DLQ_SOURCES.map((source) => (
              <option key={source} value={source}>
                {common.letterSource[source]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField label={say.error} name="error" maxLength={100} defaultValue={search.error} data-search />
      <TextField
        label={common.from}
        name="from"
        type="datetime-local"
        defaultValue={localInput(search.from)}
      />
      <TextField label={common.to} name="to" type="datetime-local" defaultValue={localInput(search.to)} />
    </FilterForm>
  );
}
