const KEY = "andon.recent";
const MOST_KEPT = 8;

/** A visited page: its label and its address. */
export interface RecentPage {
  readonly label: string;
  readonly path: string;
}

/** The last visited pages of jobs, queues and other things in this browser, newest first. */
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

/** Called at logout, because the next user of the browser may be another person. */
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
