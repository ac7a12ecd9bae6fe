import type { ChangeEvent } from "react";
import { useWords } from "../i18n/words.ts";
import { TextField } from "./field.tsx";

/** For dialogs of final decisions: the name, or another identifier, must be typed first. */
export function TypedName({ name, label }: { name: string; label?: string }) {
  const { common } = useWords();
  // The browser does not submit a form with an invalid control, and shows the reason.
  const compare = ({ target }: ChangeEvent<HTMLInputElement>) =>
    target.setCustomValidity(target.value === name ? "" : common.typeExactly(name));
  return (
    <>
      <p className="rounded-md bg-ground px-3 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
        {name}
      </p>
      <TextField
        label={label ?? common.typeName}
        required
        autoComplete="off"
        spellCheck={false}
        onChange={compare}
        data-autofocus
      />
    </>
  );
}
