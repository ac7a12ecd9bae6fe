import apps from "virtual:installed-apps";
import { useSyncExternalStore } from "react";
import type { AppWords } from "../console-app.ts";
import type { Words } from "./en.ts";
import { type Language, language, setLanguage, useLanguage } from "./language.ts";

const LOAD: Record<Language, () => Promise<Words>> = {
  ko: async () => (await import("./ko.ts")).ko,
  en: async () => (await import("./en.ts")).en,
};

/** Only the reader's language is loaded at the start; the other one when it is chosen. */
const loaded = new Map<Language, Words>();
const readers = new Set<() => void>();

/** Must have resolved for the reader's language before the first render. */
export async function loadWords(wanted: Language): Promise<void> {
  if (loaded.has(wanted)) return;
  loaded.set(wanted, withApps(await LOAD[wanted](), wanted));
  for (const read of readers) read();
}

/** All texts of the core's pages, in the reader's language. */
export function useWords(): Words {
  return wordsIn(useLanguage());
}

/** The texts of a language; until they are loaded, those of the reader's language. */
export function wordsIn(wanted: Language): Words {
  const words = loaded.get(wanted) ?? loaded.get(language());
  if (!words) throw new Error("words are used before they are loaded");
  return words;
}

/** The texts of any language: `wordsIn`, with a rerender when they are loaded. */
export function useWordsIn(wanted: Language): Words {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => wordsIn(wanted),
  );
}

/** Changes the language after its texts are loaded. If the server is away, nothing changes. */
export async function chooseLanguage(next: Language): Promise<void> {
  try {
    await loadWords(next);
    setLanguage(next);
  } catch {
    // The page already shows that the server is away.
  }
}

/** Adds the apps' words for their own codes. They cannot replace words of the core. */
function withApps(words: Words, language: Language): Words {
  const of = (part: keyof AppWords): Record<string, string> =>
    Object.assign({}, ...apps.map((app) => app.words?.[language][part] ?? {}));
  const { action, event, problem } = words;
  return {
    ...words,
    action: { ...of("actions"), ...action },
    event: { ...of("events"), ...event },
    problem: { ...problem, hints: { ...of("hints"), ...problem.hints } },
  };
}
