import type { Search } from "../ui/address.ts";

const KEY = "andon.views";

/** A search of the list of jobs with a name. */
export interface SavedView {
  readonly name: string;
  readonly search: Search;
}

/** What another version or hand has left there, and is no view, is passed over. */
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
