import { useSyncExternalStore } from "react";

export type Language = "ko" | "en";

const KEY = "andon.language";
const readers = new Set<() => void>();
let current: Language = kept() ?? preferred();

function kept(): Language | undefined {
  const value = localStorage.getItem(KEY);
  return value === "ko" || value === "en" ? value : undefined;
}

/** Korean, unless the browser prefers English. */
function preferred(): Language {
  const known = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === "ko" || tag === "en");
  return known === "en" ? "en" : "ko";
}

export function language(): Language {
  return current;
}

export function setLanguage(next: Language): void {
  current = next;
  localStorage.setItem(KEY, next);
  document.documentElement.lang = next;
  for (const read of readers) read();
}

export function useLanguage(): Language {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => current,
  );
}
