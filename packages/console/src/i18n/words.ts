import apps from "virtual:installed-apps";
import type { AppWords } from "../console-app.ts";
import { en, type Words } from "./en.ts";
import { ko } from "./ko.ts";
import { type Language, useLanguage } from "./language.ts";

const DICTIONARIES: Record<Language, Words> = { ko: withApps(ko, "ko"), en: withApps(en, "en") };

/** Every word that the core's pages say, in the reader's language. */
export function useWords(): Words {
  return DICTIONARIES[useLanguage()];
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
