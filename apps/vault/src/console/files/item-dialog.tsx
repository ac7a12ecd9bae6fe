import { DecisionDialog, TextField, useWords } from "@andon/console/room";
import { useState } from "react";
import { type Item, ROOT, vault } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { followOperation } from "./folder-operations.ts";
import type { ItemAction } from "./item-actions.tsx";
import { TargetFolder } from "./target-folder.tsx";

interface ItemDialogProps {
  readonly item: Item;
  readonly onClose: () => void;
  readonly onDone?: (() => void | Promise<void>) | undefined;
}

/** Renames, moves or trashes a file or a folder. */
export function ItemDialog({ action, ...rest }: ItemDialogProps & { action: ItemAction }) {
  const Dialog = { rename: RenameDialog, move: MoveDialog, trash: TrashDialog }[action];
  return <Dialog {...rest} />;
}

function RenameDialog({ item: { kind, id, name }, onClose, onDone }: ItemDialogProps) {
  const { files: say } = useVaultWords();
  const [newName, setNewName] = useState(name);
  const decide = async () => {
    if (kind === "file") await vault().files.rename({ id, newName });
    else followOperation((await vault().folders.rename({ id, newName })).operationId, newName);
    return { message: say.renamed(newName) };
  };
  return (
    <DecisionDialog
      title={say.of.rename(name)}
      effects={[kind === "file" ? say.renameFile : say.renameFolder]}
      confirm={say.rename}
      reason="none"
      decide={decide}
      onClose={onClose}
      onDone={onDone}
    >
      <NameField value={newName} onChange={setNewName} />
    </DecisionDialog>
  );
}

function MoveDialog({ item: { kind, id, name, folderId }, onClose, onDone }: ItemDialogProps) {
  const { files: say } = useVaultWords();
  const [targetFolderId, setTarget] = useState(folderId ?? ROOT);
  const decide = async () => {
    if (kind === "file")
      return { message: say.moved((await vault().files.move({ id, targetFolderId })).path) };
    const { operationId, path } = await vault().folders.move({ id, targetFolderId });
    followOperation(operationId, name);
    return { message: say.moved(path) };
  };
  return (
    <DecisionDialog
      title={say.of.move(name)}
      effects={[kind === "file" ? say.moveFile : say.moveFolder]}
      confirm={say.move}
      reason="none"
      decide={decide}
      onClose={onClose}
      onDone={onDone}
    >
      <TargetFolder
        current={targetFolderId}
        onPick={setTarget}
        without={kind === "folder" ? id : undefined}
      />
    </DecisionDialog>
  );
}

function TrashDialog({ item: { kind, id, name }, onClose, onDone }: ItemDialogProps) {
  const { files: say } = useVaultWords();
  const { common } = useWords();
  const decide = async () => {
    await (kind === "file" ? vault().files.remove({ id }) : vault().folders.remove({ id }));
    return { message: say.trashed(name) };
  };
  return (
    <DecisionDialog
      title={say.of.trash(name)}
      effects={[kind === "file" ? say.trashFile : say.trashFolder, common.nothingElse]}
      confirm={say.trash}
      reason="none"
      decide={decide}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

export function NewFolderDialog({
  folder,
  onClose,
}: {
  folder: { readonly id: string; readonly path: string };
  onClose: () => void;
}) {
  const { files: say } = useVaultWords();
  const [name, setName] = useState("");
  const decide = async () => {
    await vault().folders.create({ name, parentId: folder.id });
    return { message: say.created(name) };
  };
  return (
    <DecisionDialog
      title={say.newFolderTitle(folder.path)}
      effects={[say.createEffect]}
      confirm={say.create}
      reason="none"
      decide={decide}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} />
    </DecisionDialog>
  );
}

function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { files: say } = useVaultWords();
  return (
    <TextField
      label={say.newName}
      hint={say.nameHint}
      required
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      data-autofocus
    />
  );
}
