import { useState } from "react";
import { useWords } from "../i18n/words.ts";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy.tsx";

const MOST_LINES = 14;
const MOST_LETTERS = 2_000;

export function jsonText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** A text from a job or a caller, always rendered as text and never as markup. A long text is collapsed. */
export function TextBlock({ label, text }: { label: string; text: string }) {
  const { common } = useWords();
  const [isOpen, setOpen] = useState(false);
  const lines = text.split("\n");
  const isLong = lines.length > MOST_LINES || text.length > MOST_LETTERS;
  const shown = isLong && !isOpen ? lines.slice(0, MOST_LINES).join("\n").slice(0, MOST_LETTERS) : text;
  return (
    <div className="min-w-0">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-xs font-semibold text-faint">{label}</h3>
        <CopyButton text={text} />
      </div>
      <pre className="overflow-x-auto rounded-md border border-line bg-ground px-3 py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap">
        {shown}
        {shown !== text && "\n…"}
      </pre>
      {isLong && (
        <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? common.less : common.more}
        </Button>
      )}
    </div>
  );
}
