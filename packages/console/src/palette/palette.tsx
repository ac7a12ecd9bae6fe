import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useWords } from "../i18n/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { type Followed, useActions } from "./actions.ts";
import type { Choice } from "./choice.ts";
import { useFound } from "./found.ts";

/** The debounce before a request to the server. */
const SETTLED_MS = 150;

interface PaletteProps {
  readonly onClose: () => void;
  /** Called when a decision or a dialog of the shell was chosen. */
  readonly onFollow: (followed: Followed) => void;
}

/** Finds pages, queues, jobs and the apps' things by a few letters, and runs actions by name. */
export function Palette({ onClose, onFollow }: PaletteProps) {
  const { palette: say } = useWords();
  const [text, setText] = useState("");
  /** The id of the choice selected with the arrow keys; if undefined, the first choice. */
  const [active, setActive] = useState<string>();
  const typed = text.trim();
  const settled = useSettled(typed);
  const found = useFound(typed, settled);
  const actions = useActions(typed, onFollow);
  const groups = [...found.known, { title: say.actions, choices: actions }, ...found.found].filter(
    ({ choices }) => choices.length > 0,
  );
  const choices = groups.flatMap((group) => group.choices);
  const index = Math.max(
    0,
    choices.findIndex(({ id }) => id === active),
  );
  const chosen = choices[index];
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (chosen) list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") walk(1);
    else if (event.key === "ArrowUp") walk(-1);
    else if (event.key === "Enter" && chosen) pick(chosen);
    else return;
    event.preventDefault();
  };
  const walk = (step: 1 | -1) => setActive(choices.at((index + step) % choices.length)?.id);
  const pick = (choice: Choice) => {
    onClose();
    choice.go();
  };
  const idOf = (choice: Choice) => `${listId}-${choices.indexOf(choice)}`;

  return (
    <Dialog title={say.title} onClose={onClose} isTop>
      <input
        role="combobox"
        aria-label={say.hint}
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosen ? idOf(chosen) : undefined}
        placeholder={say.hint}
        autoComplete="off"
        spellCheck={false}
        className="min-h-10 w-full border-b border-line bg-transparent px-1 text-base text-ink outline-none placeholder:text-faint focus:border-accent"
        value={text}
        maxLength={200}
        onChange={(event) => {
          setText(event.target.value);
          setActive(undefined);
        }}
        onKeyDown={onKeyDown}
        data-autofocus
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={say.title}
        aria-busy={found.isSearching}
        className="-mx-2 flex max-h-[60dvh] flex-col overflow-y-auto"
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be part of a listbox
          <div key={group.choices[0]?.id} role="group" aria-label={group.title} className="pb-2">
            <p aria-hidden="true" className="px-3 py-1 text-xs font-medium text-faint">
              {group.title}
            </p>
            {group.choices.map((choice) => (
              <Option
                key={choice.id}
                id={idOf(choice)}
                choice={choice}
                isChosen={choice === chosen}
                onPick={() => pick(choice)}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={choices.length === 0 ? "text-faint" : "sr-only"}>
        {found.isSearching ? say.searching : choices.length === 0 ? say.none : say.found(choices.length)}
      </p>
      {found.failed.map((what) => (
        <p key={what} role="alert" className="text-stop-ink">
          {say.failed(what)}
        </p>
      ))}
      <p aria-hidden="true" className="text-xs text-faint max-sm:hidden">
        {say.keys}
      </p>
    </Dialog>
  );
}

interface OptionProps {
  readonly id: string;
  readonly choice: Choice;
  readonly isChosen: boolean;
  readonly onPick: () => void;
}

function Option({ id, choice: { label, hint, icon: Icon }, isChosen, onPick }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keys of its options
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={onPick}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-3 py-1 hover:bg-raised aria-selected:bg-accent-wash"
    >
      <Icon size={16} aria-hidden="true" className="shrink-0 text-faint" />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {hint && <span className="max-w-[50%] shrink-0 truncate text-xs text-faint">{hint}</span>}
    </div>
  );
}

function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
