import type { ChangeEvent } from "react";
import { useWords } from "../i18n/words.ts";
import { TextField } from "./field.tsx";

/** Stands in the dialog of what nothing brings back: its name, or what else it is known by, is typed first. */
export function TypedName({ name, label }: { name: string; label?: string }) {
  const { common } = useWords();
  // The browser keeps a form with a control that is not valid from being sent, and tells why.
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
