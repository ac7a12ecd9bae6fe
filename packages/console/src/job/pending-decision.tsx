import { Undo2 } from "lucide-react";
import type { HeldDecision } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { useAllowed } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { useNow } from "../ui/now.ts";
import { spanText } from "../ui/time.tsx";
import { useUndo } from "./undo.ts";

interface PendingDecisionProps {
  readonly decision: HeldDecision;
  readonly ticket: string;
  /** For a row of a list: without the actor and the reason. */
  readonly isShort?: boolean;
}

/** A held-back skip or cancel: how long it can still be undone, and the button to undo it. */
export function PendingDecision({ decision, ticket, isShort = false }: PendingDecisionProps) {
  const words = useWords();
  const { undo: say } = words;
  const now = useNow();
  const mayDecide = useAllowed({ permission: "queue.operate" });
  const { undo, isPending } = useUndo();
  const left = Date.parse(decision.appliesAt) - now;
  const text = left > 0 ? say.pending[decision.action](spanText(left, words)) : say.applying[decision.action];
  const button = mayDecide && left > 0 && (
    <Button
      icon={<Undo2 size={14} aria-hidden="true" />}
      aria-label={say.of[decision.action](ticket)}
      disabled={isPending}
      onClick={() => void undo(decision.id)}
    >
      {say.undo}
    </Button>
  );
  if (isShort) {
    return (
      <span className="flex flex-wrap items-center gap-1.5 text-xs text-hand-ink" data-pending-decision>
        {text}
        {button}
      </span>
    );
  }
  return (
    <section
      aria-label={text}
      data-pending-decision
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-hand-wash px-4 py-3 text-hand-ink"
    >
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-base font-medium" role="timer" aria-live="off">
          {text}
        </p>
        <p className="wrap-anywhere">
          {say.by(decision.actor)}
          {decision.reason && ` · ${decision.reason}`}
        </p>
      </div>
      {button}
    </section>
  );
}
