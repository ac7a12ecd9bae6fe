import { Button, Panel, TextBlock, useAllowed, useWords } from "@andon/console/room";
import { type Availability, type FileEntry, onNas, type SyncStatus } from "../api.ts";
import type { VaultWords } from "../i18n/en.ts";
import { useVaultWords } from "../i18n/words.ts";
import { useNasLine } from "../nas-line.tsx";
import { markOf, SyncMark } from "../sync-mark.tsx";

interface StandingProps {
  readonly file: FileEntry;
  readonly status: SyncStatus | undefined;
  readonly onDecide: () => void;
}

/** Whether the NAS is up to date with a file, and if not, why. */
export function Standing({ file, status, onDecide }: StandingProps) {
  const { file: say } = useVaultWords();
  const { job } = useWords();
  const mayDecide = useAllowed({ permission: "queue.operate" });
  const line = useNasLine();
  const stands = line !== undefined && line !== "running";
  if (!status) return null;
  const { queueStatus, currentOperation } = status;
  const isHeld = queueStatus === "HELD";
  return (
    <Panel
      title={say.stands}
      aside={
        isHeld &&
        mayDecide && (
          <Button tone="primary" onClick={onDecide}>
            {say.decide}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3 px-3 py-3 sm:px-4">
        <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
          <SyncMark status={queueStatus} nas={onNas(file)} />
          <p className="min-w-0 flex-1 basis-64">{sentenceOf(status, onNas(file), stands, say)}</p>
        </div>
        {currentOperation?.error && <TextBlock label={job.error} text={currentOperation.error} />}
      </div>
    </Panel>
  );
}

function sentenceOf(
  { queueStatus, currentOperation, pendingOperations }: SyncStatus,
  nas: Availability,
  stands: boolean,
  { why }: VaultWords["file"],
): string {
  const waiting = pendingOperations.length + (currentOperation ? 1 : 0);
  if (queueStatus === "HELD") return why.held;
  if (queueStatus === "PROCESSING") return why.processing;
  if (queueStatus === "IDLE") return markOf(queueStatus, nas) === "OFF" ? why.off : why.idle;
  if (currentOperation?.status === "RETRYING") return why.retrying;
  return stands ? why.stands(waiting) : why.pending(waiting);
}
