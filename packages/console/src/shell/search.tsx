import { Search } from "lucide-react";
import { useWords } from "../i18n/words.ts";

const TICKET_OR_ID = /^#?(\d{1,15}|[0-9a-f]{8}-[0-9a-f-]{27})$/i;

/** The ticket or id in a text, in the format of the API; undefined if there is none. */
export function jobIdIn(text: string): string | undefined {
  return TICKET_OR_ID.exec(text.trim())?.[1];
}

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the palette, which searches everything. */
export function SearchButton({ onOpen }: { onOpen: () => void }) {
  const { palette: say } = useWords();
  return (
    <div className="min-w-0 flex-1">
      <button
        type="button"
        data-open-palette
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={onOpen}
        className="flex min-h-8 w-full max-w-md items-center gap-2 rounded-md border border-line-strong bg-control px-2.5 text-left text-faint shadow-control hover:border-faint hover:text-soft"
      >
        <Search size={15} aria-hidden="true" className="shrink-0" />
        <span className="min-w-0 flex-1 truncate">{say.title}</span>
        <span aria-hidden="true" className="rounded border border-line px-1 text-xs max-sm:hidden">
          {IS_MAC ? "⌘K" : "Ctrl K"}
        </span>
      </button>
    </div>
  );
}
