import cronstrue from "cronstrue";
import "cronstrue/locales/ko.js";
import { useLanguage } from "../i18n/language.ts";

/** For a daily time, only the verbose form says "every day". For anything else the verbose form repeats itself. */
const AT_A_TIME = /^\d+ \d+ \* \* \*$/;

const A_MINUTE = /^\d+ \* /;

/** A cron expression in words; nothing if it cannot be parsed. */
export default function CronText({ cron }: { cron: string }) {
  const locale = useLanguage();
  const text = cronstrue.toString(cron, {
    locale,
    use24HourTimeFormat: true,
    verbose: AT_A_TIME.test(cron),
    throwExceptionOnParseError: false,
  });
  // In Korean the library writes a minute of every hour like a duration.
  const isEveryHour = locale === "ko" && A_MINUTE.test(cron);
  return text.startsWith("Error") ? null : <span data-cron-words>{isEveryHour ? `매시 ${text}` : text}</span>;
}
