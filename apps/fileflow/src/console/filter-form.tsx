import { Button, type Search } from "@andon/console/room";
import type { FormEvent, ReactNode } from "react";
import { useFileflowWords } from "./i18n/words.ts";

interface FilterFormProps {
  readonly search: Search;
  readonly names: readonly string[];
  readonly onChange: (search: Search) => void;
  readonly children: ReactNode;
}

/** Times of the form are local, those of the address in UTC. */
const TIMES: readonly string[] = ["from", "to"];

/** The filters live in the address; the form only writes them there. */
export function FilterForm({ search, names, onChange, children }: FilterFormProps) {
  const { common: say } = useFileflowWords();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = names.map((name) => {
      const text = String(form.get(name) ?? "").trim();
      if (text === "") return [name, undefined];
      return [name, TIMES.includes(name) ? new Date(text).toISOString() : text];
    });
    onChange(Object.fromEntries(given));
  };
  const clear = () => onChange(Object.fromEntries(names.map((name) => [name, undefined])));
  return (
    <search>
      <form
        key={JSON.stringify(search)}
        aria-label={say.filters}
        onSubmit={submit}
        className="grid grid-cols-2 gap-2 rounded-lg border border-line bg-panel p-3 sm:grid-cols-4"
      >
        {children}
        <div className="col-span-full flex items-end justify-end gap-2 sm:col-span-1 sm:col-start-4">
          <Button tone="quiet" onClick={clear}>
            {say.clear}
          </Button>
          <Button type="submit">{say.apply}</Button>
        </div>
      </form>
    </search>
  );
}

/** A choice in a form takes effect at once. */
export function sendForm({ currentTarget }: FormEvent<HTMLSelectElement>): void {
  currentTarget.form?.requestSubmit();
}

/** A time of the address as the browser's field for local times takes it. */
export function localInput(iso: string | undefined): string {
  const at = new Date(iso ?? "");
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Only what is a time: an address can be typed by hand. */
export function timeIn(text: string | undefined): string | undefined {
  const at = new Date(text ?? "");
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
