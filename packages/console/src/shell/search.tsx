import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useWords } from "../i18n/words.ts";
import { INPUT } from "../ui/field.tsx";
import { jobPath } from "../ui/link.tsx";

const TICKET_OR_ID = /^#?(\d{1,15}|[0-9a-f]{8}-[0-9a-f-]{27})$/i;

/** A ticket or an id as the API takes it, if the text is one. */
export function jobIdIn(text: string): string | undefined {
  return TICKET_OR_ID.exec(text.trim())?.[1];
}

export function useGoTo(): (text: string) => void {
  const navigate = useNavigate();
  return (text) => {
    const id = jobIdIn(text);
    if (id) void navigate({ to: jobPath(id) });
    else void navigate({ to: "/jobs", search: { text: text.trim() } as never });
  };
}

export function HeaderSearch() {
  const { shell } = useWords();
  const [text, setText] = useState("");
  const goTo = useGoTo();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "") return;
    goTo(text);
    setText("");
  };
  return (
    <search className="min-w-0 flex-1">
      <form onSubmit={submit} className="relative max-w-md">
        <Search size={15} aria-hidden="true" className="absolute top-2 left-2 text-faint" />
        <input
          type="search"
          aria-label={shell.searchLabel}
          aria-keyshortcuts="/"
          placeholder={shell.search}
          data-search
          className={`${INPUT} pl-7`}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </search>
  );
}
