import { Button, type SelectedRows, SelectPage, useWords } from "@andon/console/room";
import { FolderInput, Trash2 } from "lucide-react";
import { useState } from "react";
import { type Item, ROOT, vault } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { followOperation } from "./folder-operations.ts";
import { ManyDialog } from "./many-dialog.tsx";
import { TargetFolder } from "./target-folder.tsx";

interface SelectedItemsProps {
  readonly selection: SelectedRows<Item>;
}

/** The bar above a list of files and folders: the number of selected items, and the actions on them. */
export function SelectedItems({ selection: { items, isPage, togglePage } }: SelectedItemsProps) {
  const { files: say } = useVaultWords();
  const { jobs } = useWords();
  const [open, setOpen] = useState<{ readonly action: "move" | "trash"; readonly items: readonly Item[] }>();
  const close = () => setOpen(undefined);
  return (
    <SelectPage isPage={isPage} isSome={items.length > 0} onToggle={togglePage}>
      {items.length > 0 && (
        <>
          <span className="font-medium" role="status">
            {jobs.selected(items.length)}
          </span>
          <span className="ml-auto flex flex-wrap gap-1.5">
            <Button
              icon={<FolderInput size={15} aria-hidden="true" />}
              onClick={() => setOpen({ action: "move", items })}
            >
              {say.many.move(items.length)}
            </Button>
            <Button
              icon={<Trash2 size={15} aria-hidden="true" />}
              onClick={() => setOpen({ action: "trash", items })}
            >
              {say.many.trash(items.length)}
            </Button>
          </span>
        </>
      )}
      {open?.action === "move" && <MoveMany items={open.items} onClose={close} />}
      {open?.action === "trash" && <TrashMany items={open.items} onClose={close} />}
    </SelectPage>
  );
}

interface ManyProps {
  readonly items: readonly Item[];
  readonly onClose: () => void;
}

function MoveMany({ items, onClose }: ManyProps) {
  const { files: say } = useVaultWords();
  const [targetFolderId, setTarget] = useState(items[0]?.folderId ?? ROOT);
  const move = async ({ kind, id, name }: Item) => {
    if (kind === "file") return vault().files.move({ id, targetFolderId });
    const { operationId } = await vault().folders.move({ id, targetFolderId });
    followOperation(operationId, name);
  };
  return (
    <ManyDialog
      items={items}
      title={say.many.move}
      effects={[say.many.moveEffect]}
      confirm={say.move}
      act={move}
      done={say.many.moved}
      onClose={onClose}
    >
      <TargetFolder current={targetFolderId} onPick={setTarget} />
    </ManyDialog>
  );
}

function TrashMany({ items, onClose }: ManyProps) {
  const { files: say } = useVaultWords();
  const { common } = useWords();
  const hasFolder = items.some(({ kind }) => kind === "folder");
  return (
    <ManyDialog
      items={items}
      title={say.many.trash}
      effects={[say.many.trashEffect, ...(hasFolder ? [say.trashFolder] : []), common.nothingElse]}
      confirm={say.trash}
      act={({ kind, id }) =>
        kind === "file" ? vault().files.remove({ id }) : vault().folders.remove({ id })
      }
      done={say.many.trashed}
      onClose={onClose}
    />
  );
}
