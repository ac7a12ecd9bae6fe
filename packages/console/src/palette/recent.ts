const KEY = "andon.recent";
const MOST_KEPT = 8;

/** A page that somebody was on: what it is about, and its address. */
export interface RecentPage {
  readonly label: string;
  readonly path: string;
}

/** The pages about one thing that this browser has shown last, the latest first. */
export function recentPages(): readonly RecentPage[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isPage) : [];
  } catch {
    return [];
  }
}

export function rememberPage(page: RecentPage): void {
  const others = recentPages().filter(({ path }) => path !== page.path);
  localStorage.setItem(KEY, JSON.stringify([page, ...others].slice(0, MOST_KEPT)));
}

/** Whoever uses the browser next is somebody else. */
export function forgetPages(): void {
  localStorage.removeItem(KEY);
}

function isPage(value: unknown): value is RecentPage {
  return (
    typeof value === "object" &&
    value !== null &&
    "label" in value &&
    typeof value.label === "string" &&
    "path" in value &&
    typeof value.path === "string"
  );
}
