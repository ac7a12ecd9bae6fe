import { DecisionDialog, TypedName, useWords } from "@andon/console/room";
import { type Item, vault } from "../api.ts";
import { ManyDialog } from "../files/many-dialog.tsx";
import { useVaultWords } from "../i18n/words.ts";

interface TrashedProps {
  readonly item: Pick<Item, "kind" | "id" | "name">;
  readonly onClose: () => void;
  readonly onDone?: (() => void | Promise<void>) | undefined;
}

export function RestoreDialog({ item: { kind, id, name }, onClose }: TrashedProps) {
  const { trash: say } = useVaultWords();
  const { common } = useWords();
  const decide = async () => {
    const { path } = await (kind === "file"
      ? vault().files.restore({ id })
      : vault().folders.restore({ id }));
    return { message: say.restored(path) };
  };
  return (
    <DecisionDialog
      title={say.ofRestore(name)}
      effects={[kind === "file" ? say.restoreFile : say.restoreFolder, common.nothingElse]}
      confirm={say.restore}
      reason="none"
      decide={decide}
      onClose={onClose}
    />
  );
}

interface RestoreManyProps {
  readonly items: readonly TrashedProps["item"][];
  readonly onClose: () => void;
}

export function RestoreMany({ items, onClose }: RestoreManyProps) {
  const { trash: say } = useVaultWords();
  const { common } = useWords();
  return (
    <ManyDialog
      items={items}
      title={say.restoreMany}
      effects={[say.restoreManyEffect, common.nothingElse]}
      confirm={say.restore}
      act={({ kind, id }) =>
        kind === "file" ? vault().files.restore({ id }) : vault().folders.restore({ id })
      }
      done={say.restoredMany}
      onClose={onClose}
    />
  );
}

/** This cannot be undone, so the reader must type the name. */
export function PurgeDialog({ item: { id, name }, onClose, onDone }: TrashedProps) {
  const { trash: say } = useVaultWords();
  const decide = async () => {
    await vault().files.remove({ id, permanent: "true" });
    return { message: say.purged(name) };
  };
  return (
    <DecisionDialog
      title={say.ofPurge(name)}
      effects={[say.purgeEffect]}
      confirm={say.purge}
      tone="stop"
      reason="none"
      decide={decide}
      onClose={onClose}
      onDone={onDone}
    >
      <TypedName name={name} />
    </DecisionDialog>
  );
}
