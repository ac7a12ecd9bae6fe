import type { Search } from "../ui/address.ts";

const KEY = "andon.views";

/** A named search of the list of jobs. */
export interface SavedView {
  readonly name: string;
  readonly search: Search;
}

/** Ignores stored values that are not views, for example from another version. */
export function readViews(): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
}

export function writeViews(views: readonly SavedView[]): void {
  localStorage.setItem(KEY, JSON.stringify(views));
}

function isView(value: unknown): value is SavedView {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "search" in value &&
    typeof value.search === "object" &&
    value.search !== null
  );
}
