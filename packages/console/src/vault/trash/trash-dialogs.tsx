import type { ChangeEvent } from "react";
import { DecisionDialog } from "../../kit/decision-dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { useWords } from "../../words/words.ts";
import { type Item, vault } from "../api.ts";
import { useVaultWords } from "../words/words.ts";

interface TrashedProps {
  readonly item: Pick<Item, "kind" | "id" | "name">;
  readonly onClose: () => void;
  readonly onDone?: (() => void) | undefined;
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

/** Nothing brings it back, so the name is typed. */
export function PurgeDialog({ item: { id, name }, onClose, onDone }: TrashedProps) {
  const { trash: say } = useVaultWords();
  const decide = async () => {
    await vault().files.remove({ id, permanent: "true" });
    return { message: say.purged(name) };
  };
  // The browser keeps a form with a control that is not valid from being sent, and tells why.
  const compare = ({ target }: ChangeEvent<HTMLInputElement>) =>
    target.setCustomValidity(target.value === name ? "" : say.typeExactly(name));
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
      <p className="rounded-md bg-ground px-3 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
        {name}
      </p>
      <TextField
        label={say.typeName}
        required
        autoComplete="off"
        spellCheck={false}
        onChange={compare}
        data-autofocus
      />
    </DecisionDialog>
  );
}
