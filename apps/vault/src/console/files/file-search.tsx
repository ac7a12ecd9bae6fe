import { Button, Field, type Search, TextField, useWords } from "@andon/console/room";
import type { FormEvent } from "react";
import type { Availability } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";

const STATES: readonly Availability[] = ["AVAILABLE", "PENDING", "ERROR", "ABSENT"];

export const nasIn = (search: Search) => STATES.find((state) => state === search.nas);

interface FileSearchProps {
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

/** Names in this folder, or files in all folders by name and by their state on the NAS. */
export function FileSearch({ search, onChange }: FileSearchProps) {
  const { files: say, availability } = useVaultWords();
  const { common } = useWords();
  const isEverywhere = search.in === "all";
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim() || undefined;
    onChange({ text: text("text"), in: text("in"), nas: text("in") ? text("nas") : undefined });
  };
  return (
    <search>
      <form key={JSON.stringify(search)} onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <div className="min-w-40 flex-1">
          <TextField
            label={say.searchLabel}
            name="text"
            type="search"
            maxLength={200}
            defaultValue={search.text}
            data-search
          />
        </div>
        <Field label={say.searchIn}>
          {(field) => (
            <select {...field} name="in" defaultValue={search.in ?? ""} onChange={send}>
              <option value="">{say.here}</option>
              <option value="all">{say.everywhere}</option>
            </select>
          )}
        </Field>
        {isEverywhere && (
          <Field label={say.nas}>
            {(field) => (
              <select {...field} name="nas" defaultValue={search.nas ?? ""} onChange={send}>
                <option value="">{common.all}</option>
                {STATES.map((state) => (
                  <option key={state} value={state}>
                    {availability[state]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Button type="submit">{say.search}</Button>
      </form>
    </search>
  );
}

function send({ currentTarget }: FormEvent<HTMLSelectElement>): void {
  currentTarget.form?.requestSubmit();
}
