import { DecisionDialog } from "@andon/console/room";
import { type DeadLetter, fileflow } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";

export type LetterAction = "redrive" | "discard";

interface Props {
  readonly letter: DeadLetter;
  readonly onClose: () => void;
}

export function LetterDialog({ action, ...props }: Props & { action: LetterAction }) {
  return action === "redrive" ? <RedriveOne {...props} /> : <Discard {...props} />;
}

function RedriveOne({ letter: { id }, onClose }: Props) {
  const { dlq: say } = useFileflowWords();
  const decide = async (reason: string | undefined) => {
    const { executionId, error, reasons } = await fileflow().dlq.redriveOne({ id, reason });
    const isDead = error !== null || executionId === null;
    return { message: isDead ? say.deadAgain(error ?? "", reasons.join("; ")) : say.redriven(executionId) };
  };
  return (
    <DecisionDialog
      title={say.redriveTitle}
      effects={[say.redriveEffect, say.redriveAgain]}
      confirm={say.redrive}
      reason="optional"
      decide={decide}
      onClose={onClose}
    />
  );
}

function Discard({ letter: { id }, onClose }: Props) {
  const { dlq: say } = useFileflowWords();
  const decide = async (reason = "") => {
    await fileflow().dlq.discard({ id, reason });
    return { message: say.discarded };
  };
  return (
    <DecisionDialog
      title={say.discardTitle}
      effects={[say.discardEffect]}
      confirm={say.discard}
      tone="stop"
      reason="required"
      decide={decide}
      onClose={onClose}
    />
  );
}
