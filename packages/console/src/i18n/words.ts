import apps from "virtual:installed-apps";
import { useSyncExternalStore } from "react";
import type { AppWords } from "../console-app.ts";
import type { Words } from "./en.ts";
import { type Language, language, setLanguage, useLanguage } from "./language.ts";

const LOAD: Record<Language, () => Promise<Words>> = {
  ko: async () => (await import("./ko.ts")).ko,
  en: async () => (await import("./en.ts")).en,
};

/** A reader needs one language; the other is loaded when somebody chooses it. */
const loaded = new Map<Language, Words>();
const readers = new Set<() => void>();

/** Must have ended once, for the reader's language, before anything is drawn. */
export async function loadWords(wanted: Language): Promise<void> {
  if (loaded.has(wanted)) return;
  loaded.set(wanted, withApps(await LOAD[wanted](), wanted));
  for (const read of readers) read();
}

/** Every word that the core's pages say, in the reader's language. */
export function useWords(): Words {
  return wordsIn(useLanguage());
}

/** The words of a language; until they have come, those of the reader's language. */
export function wordsIn(wanted: Language): Words {
  const words = loaded.get(wanted) ?? loaded.get(language());
  if (!words) throw new Error("words are used before they are loaded");
  return words;
}

/** Words of a language that need not be the reader's: `wordsIn`, drawn again when they have come. */
export function useWordsIn(wanted: Language): Words {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => wordsIn(wanted),
  );
}

/** Changes the language once its words are there. Where the server is away, everything stays as it is. */
export async function chooseLanguage(next: Language): Promise<void> {
  try {
    await loadWords(next);
    setLanguage(next);
  } catch {
    // The page says already that the server is away.
  }
}

/** Apps have words for codes of their own; those of the core stay the core's. */
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
