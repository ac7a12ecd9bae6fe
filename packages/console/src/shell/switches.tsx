import { setLanguage, useLanguage } from "../i18n/language.ts";
import { useWords } from "../i18n/words.ts";
import { setTheme, THEMES, type Theme, useTheme } from "./theme.ts";

const SELECT = "min-h-8 rounded-md border border-line-strong bg-raised px-1.5 text-sm text-ink";

export function LanguageSwitch() {
  const { shell } = useWords();
  const language = useLanguage();
  return (
    <select
      aria-label={shell.languageLabel}
      className={SELECT}
      value={language}
      onChange={(event) => setLanguage(event.target.value === "en" ? "en" : "ko")}
    >
      <option value="ko" lang="ko">
        한국어
      </option>
      <option value="en" lang="en">
        English
      </option>
    </select>
  );
}

export function ThemeSwitch() {
  const { shell } = useWords();
  const theme = useTheme();
  return (
    <select
      aria-label={shell.themeLabel}
      className={SELECT}
      value={theme}
      onChange={(event) => setTheme(event.target.value as Theme)}
    >
      {THEMES.map((each) => (
        <option key={each} value={each}>
          {shell.theme[each]}
        </option>
      ))}
    </select>
  );
}
