import { useLanguage } from "../i18n/language.ts";
import { chooseLanguage, useWords } from "../i18n/words.ts";
import { setMotion, useMotion } from "./motion.ts";
import { setTheme, THEMES, type Theme, useTheme } from "./theme.ts";

const SELECT =
  "min-h-8 rounded-md border border-transparent bg-transparent px-1 text-sm text-soft hover:bg-raised hover:text-ink";

export function LanguageSwitch() {
  const { shell } = useWords();
  const language = useLanguage();
  return (
    <select
      aria-label={shell.languageLabel}
      className={SELECT}
      value={language}
      onChange={(event) => void chooseLanguage(event.target.value === "en" ? "en" : "ko")}
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

/** If the system asks for reduced motion there is none, whatever this switch says. */
export function MotionSwitch() {
  const { shell } = useWords();
  const isOn = useMotion();
  return (
    <input
      type="checkbox"
      aria-label={shell.motionLabel}
      checked={isOn}
      onChange={(event) => setMotion(event.target.checked)}
      className="switch"
    />
  );
}
