import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import { queries } from "../api/queries.ts";
import { useLanguage } from "../i18n/language.ts";
import { useWords } from "../i18n/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { INPUT } from "../ui/field.tsx";
import { queuePath } from "../ui/link.tsx";
import { useMenu } from "./menu.tsx";
import { jobIdIn, useGoTo } from "./search.tsx";

interface Choice {
  readonly label: string;
  readonly go: () => void;
}

const MOST_CHOICES = 12;

/** Go anywhere by typing a few letters of it. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { shell } = useWords();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const choices = useChoices(text);
  const listId = useId();
  const chosen = choices[Math.min(active, choices.length - 1)];

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setActive(Math.min(active + 1, choices.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (event.key === "Enter" && chosen) pick(chosen);
    else return;
    event.preventDefault();
  };
  const pick = (choice: Choice) => {
    onClose();
    choice.go();
  };

  return (
    <Dialog title={shell.palette} onClose={onClose}>
      <input
        role="combobox"
        aria-label={shell.paletteHint}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={chosen ? `${listId}-${choices.indexOf(chosen)}` : undefined}
        placeholder={shell.paletteHint}
        className={INPUT}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        data-autofocus
      />
      <div id={listId} role="listbox" aria-label={shell.palette} className="flex flex-col">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keys of its options
          <div
            key={choice.label}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={choice === chosen}
            onClick={() => pick(choice)}
            className="cursor-pointer rounded-md px-3 py-1.5 hover:bg-raised aria-selected:bg-accent-wash"
          >
            {choice.label}
          </div>
        ))}
      </div>
      {choices.length === 0 && <p className="text-faint">{shell.noMatch}</p>}
    </Dialog>
  );
}

function useChoices(text: string): readonly Choice[] {
  const { shell } = useWords();
  const language = useLanguage();
  const navigate = useNavigate();
  const goTo = useGoTo();
  const menu = useMenu();
  const { data } = useQuery(queries.queues(1));
  const wanted = text.trim().toLowerCase();
  const places: Choice[] = [
    ...(data?.items ?? []).map(({ queue }) => ({
      label: queue,
      go: () => void navigate({ to: queuePath(queue) }),
    })),
    ...menu.map(({ path, label }) => ({ label: label[language], go: () => void navigate({ to: path }) })),
  ];
  const found = places.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, MOST_CHOICES);
  if (wanted === "") return found;
  const id = jobIdIn(text);
  const job = { label: id ? shell.openJob(id) : shell.findText(text.trim()), go: () => goTo(text) };
  return id ? [job, ...found] : [...found, job];
}
