import { DecisionDialog } from "@andon/console/room";
import { useState } from "react";
import { vault } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";

interface CompareDialogProps {
  readonly onClose: () => void;
  readonly onStarted: (runId: string) => void;
}

export function CompareDialog({ onClose, onStarted }: CompareDialogProps) {
  const { drift: say } = useVaultWords();
  const [checksum, setChecksum] = useState(false);
  const decide = async () => {
    const { id } = await vault().drift.start({ checksum });
    onStarted(id);
    return { message: say.started };
  };
  return (
    <DecisionDialog
      title={say.start}
      effects={[say.startEffect, say.startKeep]}
      confirm={say.start}
      reason="none"
      decide={decide}
      onClose={onClose}
    >
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={checksum}
          onChange={(event) => setChecksum(event.target.checked)}
        />
        {say.checksum}
      </label>
    </DecisionDialog>
  );
}
