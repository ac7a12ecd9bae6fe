import { Search as SearchIcon, X } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { useWords } from "../i18n/words.ts";
import type { Search } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { INPUT } from "../ui/field.tsx";
import { absoluteText } from "../ui/time.tsx";
import type { SearchField } from "./search-field.ts";
import { filtersIn } from "./search-terms.ts";
import { type Suggestion, suggestionsFor } from "./suggest.ts";

interface SearchLineProps {
  readonly label: string;
  readonly placeholder: string;
  /** The filters of the list, in the order of suggestion. */
  readonly fields: readonly SearchField[];
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

/**
 * One line for all filters: chips for filters that are set, and an input with suggestions for the next one. The filters are
 * stored in the address; the line only changes the address.
 */
export function SearchLine({ label, placeholder, fields, search, onChange }: SearchLineProps) {
  const words = useWords();
  const { line, common } = words;
  const [text, setText] = useState("");
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const listId = useId();
  const suggestions = isOpen ? suggestionsFor(text, fields, words, Date.now()) : [];
  const timeField = fields.find(({ name, kind }) => kind === "time" && suggestions[0]?.sets?.[name]);
  const chosen = suggestions[active];
  const chips = fields.filter(({ name, hasTabs }) => !hasTabs && search[name]);

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
    else if (text.trim() !== "") set(filtersIn(text, fields, Date.now()));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = chips.at(-1);
    if (event.key === "ArrowDown") {
      setOpen(true);
      setActive(Math.min(active + 1, suggestions.length - 1));
    } else if (event.key === "ArrowUp") setActive(Math.max(active - 1, -1));
    else if (event.key === "Tab" && chosen) pick(chosen);
    else if (event.key === "Escape" && isOpen) setOpen(false);
    else if (event.key === "Backspace" && text === "" && last) onChange({ [last.name]: undefined });
    else return;
    event.preventDefault();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  };
  /** After the removal of a filter the list must be visible, so the suggestions stay closed. */
  const focusClosed = () => {
    box.current?.focus();
    setOpen(false);
  };
  const clear = () => {
    onChange(Object.fromEntries(fields.map(({ name }) => [name, undefined])));
    focusClosed();
  };
  return (
    <search className="relative block" onBlur={onBlur}>
      <form
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        className="flex min-h-10 flex-wrap items-center gap-1.5 rounded-lg border border-line-strong bg-control px-2 py-1 shadow-control focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent"
      >
        <SearchIcon size={16} aria-hidden="true" className="shrink-0 text-faint" />
        {chips.map((field) => (
          <Chip
            key={field.name}
            field={field}
            value={search[field.name] ?? ""}
            onRemove={() => {
              onChange({ [field.name]: undefined });
              focusClosed();
            }}
          />
        ))}
        <input
          ref={box}
          role="combobox"
          aria-label={label}
          aria-expanded={suggestions.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={chosen ? `${listId}-${active}` : undefined}
          placeholder={chips.length === 0 ? placeholder : ""}
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
        {fields.some(({ name }) => search[name]) && (
          <Button tone="quiet" onClick={clear}>
            {common.clear}
          </Button>
        )}
      </form>
      <p role="status" className="sr-only">
        {suggestions.length > 0 && line.suggested(suggestions.length)}
      </p>
      {isOpen && suggestions.length > 0 && (
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
                // Keeps the focus in the input.
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
          {timeField && <ExactTime name={timeField.name} onSet={set} />}
        </div>
      )}
    </search>
  );
}

/** An exact time from the browser's date picker. */
function ExactTime({ name, onSet }: { name: string; onSet: (filters: Search) => void }) {
  const { line } = useWords();
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
    if (local !== "") onSet({ [name]: new Date(local).toISOString() });
  }
}

interface ChipProps {
  readonly field: SearchField;
  readonly value: string;
  readonly onRemove: () => void;
}

function Chip({ field: { name, label, kind, values }, value, onRemove }: ChipProps) {
  const { line } = useWords();
  const at = kind === "time" ? Date.parse(value) : Number.NaN;
  const known = values?.find((each) => each.value === value)?.label ?? value;
  const shown = Number.isNaN(at) ? known : absoluteText(at, Date.now());
  return (
    <span
      data-chip={name}
      className="inline-flex max-w-full min-w-0 items-center rounded-md bg-accent-wash pl-2 text-sm"
    >
      <span className="shrink-0 text-soft">{label}</span>
      <span className="ml-1.5 max-w-64 truncate font-medium text-ink" title={shown}>
        {shown}
      </span>
      <button
        type="button"
        aria-label={line.remove(label, shown)}
        onClick={onRemove}
        className="ml-0.5 grid size-7 shrink-0 place-items-center rounded-md text-soft hover:text-ink"
      >
        <X size={14} aria-hidden="true" />
      </button>
    </span>
  );
}
