import { JOB_STATES } from "@andon/contract";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { queries } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import type { Search } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextField } from "../ui/field.tsx";
import { localInput } from "./job-search.ts";

interface JobFiltersProps {
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

const NAMES = ["queue", "state", "key", "tenantId", "from", "to", "fingerprint", "text"] as const;

/** The filters live in the address; the form only writes them there. */
export function JobFilters({ search, onChange }: JobFiltersProps) {
  const words = useWords();
  const { jobs: say, common } = words;
  const { data: queues } = useQuery(queries.queues(1));
  const names = new Set([
    ...(queues?.items.map(({ queue }) => queue) ?? []),
    ...(search.queue ? [search.queue] : []),
  ]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim() || undefined;
    const time = (name: string) => {
      const local = text(name);
      return local && new Date(local).toISOString();
    };
    const given = NAMES.map((name) => [name, name === "from" || name === "to" ? time(name) : text(name)]);
    onChange(Object.fromEntries(given));
  };
  const clear = () => onChange(Object.fromEntries(NAMES.map((name) => [name, undefined])));

  return (
    <search>
      <form
        key={JSON.stringify(search)}
        aria-label={say.filters}
        onSubmit={submit}
        className="grid grid-cols-2 gap-2 rounded-lg border border-line bg-panel p-3 sm:grid-cols-4"
      >
        <Field label={say.queue}>
          {(field) => (
            <select {...field} name="queue" defaultValue={search.queue ?? ""} onChange={send}>
              <option value="">{common.all}</option>
              {[...names].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label={say.state}>
          {(field) => (
            <select {...field} name="state" defaultValue={search.state ?? ""} onChange={send}>
              <option value="">{common.all}</option>
              {JOB_STATES.map((state) => (
                <option key={state} value={state}>
                  {words.state[state]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          label={say.text}
          name="text"
          type="search"
          maxLength={200}
          defaultValue={search.text}
          data-search
        />
        <TextField label={say.key} name="key" maxLength={1_000} defaultValue={search.key} />
        <TextField label={say.tenant} name="tenantId" maxLength={200} defaultValue={search.tenantId} />
        <TextField
          label={say.from}
          name="from"
          type="datetime-local"
          defaultValue={localInput(search.from)}
        />
        <TextField label={say.to} name="to" type="datetime-local" defaultValue={localInput(search.to)} />
        <TextField
          label={say.fingerprint}
          name="fingerprint"
          maxLength={200}
          defaultValue={search.fingerprint}
        />
        <div className="col-span-full flex justify-end gap-2">
          <Button tone="quiet" onClick={clear}>
            {common.clear}
          </Button>
          <Button type="submit">{common.apply}</Button>
        </div>
      </form>
    </search>
  );
}

function send({ currentTarget }: FormEvent<HTMLSelectElement>): void {
  currentTarget.form?.requestSubmit();
}
