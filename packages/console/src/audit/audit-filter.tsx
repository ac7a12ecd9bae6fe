import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId } from "react";
import { queries } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import type { Search } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextField } from "../ui/field.tsx";

const FILTERS = ["from", "to", "target", "actor", "action"] as const;
interface AuditFiltersProps {
  readonly search: Search;
  readonly onApply: (search: Record<string, string>) => void;
}

/** Filters by days, and by the names and actions of the newest decisions. Any other name can be typed. */
export function AuditFilters({ search, onApply }: AuditFiltersProps) {
  const { audit: say, action: actions, common } = useWords();
  const listId = useId();
  const latest = useQuery(queries.latestDecisions());
  const rows = latest.data?.items ?? [];
  const actors = [...new Set(rows.map((row) => row.actor))].sort();
  const known = [...new Set([...rows.map((row) => row.action), ...(search.action ? [search.action] : [])])];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    onApply(Object.fromEntries(FILTERS.map((name) => [name, String(form.get(name) ?? "").trim()])));
  };
  const isFiltered = FILTERS.some((name) => search[name]);
  return (
    <search>
      <form
        key={JSON.stringify(search)}
        onSubmit={submit}
        className="grid grid-cols-2 items-end gap-3 rounded-lg border border-line bg-panel p-3 shadow-panel sm:p-4 lg:grid-cols-[repeat(5,minmax(0,1fr))_auto]"
      >
        <TextField label={say.from} name="from" type="date" defaultValue={search.from} />
        <TextField label={say.to} name="to" type="date" defaultValue={search.to} />
        <TextField
          label={say.actor}
          name="actor"
          defaultValue={search.actor}
          list={listId}
          autoComplete="off"
        />
        <datalist id={listId}>
          {actors.map((actor) => (
            <option key={actor} value={actor} />
          ))}
        </datalist>
        <Field label={say.action}>
          {(field) => (
            <select {...field} name="action" defaultValue={search.action ?? ""}>
              <option value="">{common.all}</option>
              {known.map((each) => (
                <option key={each} value={each}>
                  {actions[each] ?? each}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          label={say.target}
          name="target"
          defaultValue={search.target}
          placeholder="queue:mail"
          data-search
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit">{common.apply}</Button>
          {isFiltered && (
            <Button
              tone="quiet"
              onClick={() => onApply(Object.fromEntries(FILTERS.map((name) => [name, ""])))}
            >
              {common.clear}
            </Button>
          )}
        </div>
      </form>
    </search>
  );
}
