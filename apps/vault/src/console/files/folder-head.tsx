import { Button } from "@andon/console/room";
import { FolderPlus } from "lucide-react";
import { type FolderPage, type Item, ROOT } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { UploadButton } from "../uploads/upload-button.tsx";
import { type ItemAction, ItemActions } from "./item-actions.tsx";
import { Trail } from "./trail.tsx";

interface FolderHeadProps {
  readonly folder: FolderPage;
  readonly mayWrite: boolean;
  readonly onNewFolder: () => void;
  readonly onAction: (action: ItemAction, item: Item) => void;
}

/** The path of this folder, and the actions on it. */
export function FolderHead({ folder, mayWrite, onNewFolder, onAction }: FolderHeadProps) {
  const { files: say } = useVaultWords();
  const { id, name, parentId } = folder;
  const isRoot = id === ROOT;
  const item: Item = { kind: "folder", id, name, folderId: parentId };
  return (
    <div className="flex flex-col gap-2">
      <Trail folderId={id} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="min-w-0 text-lg font-semibold wrap-anywhere">{isRoot ? say.root : name}</h1>
        {mayWrite && (
          <div className="flex flex-wrap items-center gap-2">
            {!isRoot && <ItemActions item={item} onAction={onAction} />}
            <Button icon={<FolderPlus size={15} aria-hidden="true" />} onClick={onNewFolder}>
              {say.newFolder}
            </Button>
            <UploadButton folder={folder} />
          </div>
        )}
      </div>
    </div>
  );
}
