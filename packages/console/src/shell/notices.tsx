import { Undo2 } from "lucide-react";
import { useWords } from "../i18n/words.ts";
import { useUndo } from "../job/undo.ts";
import { useKeys } from "../ui/keyboard.ts";
import { hideNotice, type Undoable, useNotice } from "../ui/notice.ts";
import { useNow } from "../ui/now.ts";
import { spanText } from "../ui/time.tsx";

/** The message about the last decision, at the bottom of the page. */
export function Notices() {
  const notice = useNotice();
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-4 z-20 flex justify-center px-4">
      <div
        className={
          notice
            ? "pointer-events-auto flex max-w-full flex-wrap items-center gap-x-4 gap-y-1 rounded-lg bg-ink px-4 py-2.5 font-medium text-ground shadow-xl"
            : ""
        }
      >
        <p role="status" {...(notice ? { "data-notice": "" } : {})}>
          {notice?.message}
        </p>
        {notice?.undoable && <UndoButton key={notice.undoable.decisionId} undoable={notice.undoable} />}
      </div>
    </div>
  );
}

function UndoButton({ undoable: { decisionId, appliesAt } }: { undoable: Undoable }) {
  const words = useWords();
  const { undo, isPending } = useUndo();
  const left = Date.parse(appliesAt) - useNow();
  const callOff = () => {
    hideNotice();
    void undo(decisionId);
  };
  useKeys({ u: callOff });
  return (
    <button
      type="button"
      aria-keyshortcuts="u"
      disabled={isPending || left <= 0}
      onClick={callOff}
      className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-current/40 px-3 font-semibold whitespace-nowrap disabled:opacity-55"
    >
      <Undo2 size={15} aria-hidden="true" />
      {words.undo.undo}
      <span aria-hidden="true" className="font-mono text-xs opacity-80">
        u
      </span>
      <span className="text-xs tabular-nums opacity-80">{spanText(left, words)}</span>
    </button>
  );
}
