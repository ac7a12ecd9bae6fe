import { useVaultWords } from "../i18n/words.ts";
import { FolderTree } from "./folder-tree.tsx";

interface TargetFolderProps {
  readonly current: string;
  readonly onPick: (id: string) => void;
  /** A folder cannot be moved into itself. */
  readonly without?: string | undefined;
}

/** Selects the folder to move items to. */
export function TargetFolder({ current, onPick, without }: TargetFolderProps) {
  const { files: say } = useVaultWords();
  return (
    <div>
      <p className="text-xs font-medium text-soft">{say.target}</p>
      <div className="mt-1 max-h-72 overflow-y-auto rounded-md border border-line-strong bg-raised">
        <FolderTree label={say.target} current={current} onPick={onPick} without={without} />
      </div>
    </div>
  );
}
