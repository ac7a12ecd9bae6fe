import { useSyncExternalStore } from "react";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "andon.theme";
const readers = new Set<() => void>();
let current: Theme = THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "system";

/** Without `data-theme` the style sheet follows the system. */
export function showTheme(): void {
  const { dataset } = document.documentElement;
  if (current === "system") delete dataset.theme;
  else dataset.theme = current;
}

export function setTheme(next: Theme): void {
  current = next;
  localStorage.setItem(KEY, next);
  showTheme();
  for (const read of readers) read();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => current,
  );
}

const system = matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark, by the reader's choice or the system's. For elements that the style sheet cannot colour. */
export function useIsDark(): boolean {
  const theme = useTheme();
  const isSystemDark = useSyncExternalStore(
    (read) => {
      system.addEventListener("change", read);
      return () => system.removeEventListener("change", read);
    },
    () => system.matches,
  );
  return theme === "system" ? isSystemDark : theme === "dark";
}
