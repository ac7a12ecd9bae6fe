import { DecisionDialog, useWords } from "@andon/console/room";
import { type DriftKind, type Finding, vault } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { KINDS, REPAIR_OF } from "./drift-kinds.ts";

interface RepairDialogProps {
  readonly runId: string;
  readonly counts: ReadonlyMap<DriftKind, number>;
  readonly onClose: () => void;
}

export function RepairDialog({ runId: id, counts, onClose }: RepairDialogProps) {
  const { drift: say } = useVaultWords();
  const { common } = useWords();
  const effects = [...byRepair(counts)].map(([repair, count]) => say.repairEffect[repair](count));
  const decide = async (reason: string | undefined) => {
    const { queued, left } = await vault().drift.repair({ id, ...(reason === undefined ? {} : { reason }) });
    return { message: say.repairDone(queued, left) };
  };
  return (
    <DecisionDialog
      title={say.repairTitle}
      effects={[...effects, say.repairOnce, common.nothingElse]}
      confirm={say.repair}
      reason="optional"
      decide={decide}
      onClose={onClose}
    />
  );
}

function byRepair(counts: ReadonlyMap<DriftKind, number>): ReadonlyMap<Finding["repair"], number> {
  const sums = new Map<Finding["repair"], number>();
  for (const kind of KINDS) {
    const count = counts.get(kind) ?? 0;
    const repair = REPAIR_OF[kind];
    if (count > 0) sums.set(repair, (sums.get(repair) ?? 0) + count);
  }
  return sums;
}
