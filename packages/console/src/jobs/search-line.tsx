import { useQuery } from "@tanstack/react-query";
import { Search as SearchIcon, X } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import type { JobSummary } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import type { Search } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { INPUT } from "../ui/field.tsx";
import { absoluteText } from "../ui/time.tsx";
import { filtersIn } from "./filter-terms.ts";
import { FILTERS, type Filter } from "./job-search.ts";
import { type Suggestion, suggestionsFor } from "./suggest.ts";

interface SearchLineProps {
  readonly search: Search;
  /** What the page lists: its values are suggested. */
  readonly jobs: readonly JobSummary[];
  readonly onChange: (search: Search) => void;
}

/** The state has its tabs. */
const CHIPS = FILTERS.filter((filter) => filter !== "state");

/**
 * One line for every filter: chips for those that are set, and a box with suggestions for the next one. The filters live in
 * the address; the line only writes them there.
 */
export function SearchLine({ search, jobs, onChange }: SearchLineProps) {
  const words = useWords();
  const { line, common } = words;
  const { data: queues } = useQuery(queries.queues(1));
  const [text, setText] = useState("");
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const listId = useId();
  const known = { queues: queues?.items.map(({ queue }) => queue) ?? [], jobs };
  const suggestions = isOpen ? suggestionsFor(text, known, words, Date.now()) : [];
  const chosen = suggestions[active];
  const chips = CHIPS.filter((filter) => search[filter]);

  const type = (next: string) => {
    setText(next);
    setActive(-1);
    setOpen(true);
  };
  const set = (filters: Search) => {
    onChange(filters);
    type("");
    setOpen(false);
  };
  const pick = ({ sets, begins }: Suggestion) => {
    if (sets) set(sets);
    else type(begins ?? "");
    box.current?.focus();
  };
  const submit = () => {
    if (chosen) pick(chosen);
    else if (text.trim() !== "") set(filtersIn(text, words, Date.now()));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = chips.at(-1);
    if (event.key === "ArrowDown") {
      setOpen(true);
      setActive(Math.min(active + 1, suggestions.length - 1));
    } else if (event.key === "ArrowUp") setActive(Math.max(active - 1, -1));
    else if (event.key === "Tab" && chosen) pick(chosen);
    else if (event.key === "Escape" && isOpen) setOpen(false);
    else if (event.key === "Backspace" && text === "" && last) onChange({ [last]: undefined });
    else return;
    event.preventDefault();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  };
  const clear = () => {
    onChange(Object.fromEntries(FILTERS.map((filter) => [filter, undefined])));
    box.current?.focus();
  };
  return (
    <search className="relative block" onBlur={onBlur}>
      <form
        aria-label={line.label}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        className="flex min-h-10 flex-wrap items-center gap-1.5 rounded-lg border border-line-strong bg-control px-2 py-1 shadow-control focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent"
      >
        <SearchIcon size={16} aria-hidden="true" className="shrink-0 text-faint" />
        {chips.map((filter) => (
          <Chip
            key={filter}
            filter={filter}
            value={search[filter] ?? ""}
            onRemove={() => {
              onChange({ [filter]: undefined });
              box.current?.focus();
            }}
          />
        ))}
        <input
          ref={box}
          role="combobox"
          aria-label={line.label}
          aria-expanded={suggestions.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={chosen ? `${listId}-${active}` : undefined}
          placeholder={chips.length === 0 ? line.placeholder : ""}
          maxLength={1_000}
          autoComplete="off"
          spellCheck={false}
          data-search
          className="min-h-7 min-w-40 flex-1 basis-40 bg-transparent text-sm text-ink outline-none placeholder:text-faint"
          value={text}
          onChange={({ target }) => type(target.value)}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
        />
        {(chips.length > 0 || search.state) && (
          <Button tone="quiet" onClick={clear}>
            {common.clear}
          </Button>
        )}
      </form>
      <p role="status" className="sr-only">
        {suggestions.length > 0 && line.suggested(suggestions.length)}
      </p>
      {isOpen && (suggestions.length > 0 || timeTerm(suggestions)) && (
        <div className="absolute inset-x-0 top-full z-10 mt-1 max-h-[60dvh] overflow-y-auto rounded-lg border border-line-strong bg-panel p-1 shadow-xl sm:right-auto sm:w-[34rem]">
          <div id={listId} role="listbox" aria-label={line.suggestions}>
            {suggestions.map((suggestion, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keys of its options
              <div
                key={suggestion.id}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                // The box keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => pick(suggestion)}
                className="flex min-h-8 cursor-pointer items-center justify-between gap-4 rounded-md px-2.5 py-1 hover:bg-raised aria-selected:bg-accent-wash"
              >
                <span className={`min-w-0 truncate ${suggestion.begins ? "font-mono text-accent" : ""}`}>
                  {suggestion.label}
                </span>
                <span className="shrink-0 text-xs text-faint">{suggestion.hint}</span>
              </div>
            ))}
          </div>
          <ExactTime filter={timeTerm(suggestions)} onSet={set} />
        </div>
      )}
    </search>
  );
}

/** The time filter whose values are suggested now. */
function timeTerm(suggestions: readonly Suggestion[]): "from" | "to" | undefined {
  const sets = suggestions[0]?.sets;
  return sets?.from ? "from" : sets?.to ? "to" : undefined;
}

/** A time may also be taken from the browser's own calendar. */
function ExactTime({
  filter,
  onSet,
}: {
  filter: "from" | "to" | undefined;
  onSet: (filters: Search) => void;
}) {
  const { line } = useWords();
  if (!filter) return null;
  return (
    <label className="flex items-center gap-3 border-t border-line px-2.5 py-2 text-soft">
      {line.exactTime}
      <input
        type="datetime-local"
        className={`${INPUT} max-w-56`}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") setTime(currentTarget.value);
        }}
        onBlur={({ currentTarget }) => setTime(currentTarget.value)}
      />
    </label>
  );

  function setTime(local: string) {
    if (filter && local !== "") onSet({ [filter]: new Date(local).toISOString() });
  }
}

function Chip({ filter, value, onRemove }: { filter: Filter; value: string; onRemove: () => void }) {
  const { line } = useWords();
  const at = filter === "from" || filter === "to" ? Date.parse(value) : Number.NaN;
  const shown = Number.isNaN(at) ? value : absoluteText(at, Date.now());
  return (
    <span
      data-chip={filter}
      className="inline-flex max-w-full min-w-0 items-center rounded-md bg-accent-wash pl-2 text-sm"
    >
      <span className="shrink-0 text-soft">{line.field[filter]}</span>
      <span className="ml-1.5 max-w-64 truncate font-medium text-ink" title={shown}>
        {shown}
      </span>
      <button
        type="button"
        aria-label={line.remove(line.field[filter], shown)}
        onClick={onRemove}
        className="ml-0.5 grid size-7 shrink-0 place-items-center rounded-md text-soft hover:text-ink"
      >
        <X size={14} aria-hidden="true" />
      </button>
    </span>
  );
}
