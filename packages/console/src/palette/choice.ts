import type { LucideIcon } from "lucide-react";

/** One line of the palette. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  /** Further information next to the label. */
  readonly hint?: string | undefined;
  readonly icon: LucideIcon;
  readonly go: () => void;
}

export interface ChoiceGroup {
  readonly title: string;
  readonly choices: readonly Choice[];
}

/** Whether the names contain every typed word, in any order. */
export function isNamed(typed: string, ...names: readonly string[]): boolean {
  const name = names.join(" ").toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.includes(word));
}
