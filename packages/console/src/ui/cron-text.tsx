import cronstrue from "cronstrue";
import "cronstrue/locales/ko.js";
import { useLanguage } from "../i18n/language.ts";

/** A time alone says "every day" only where it is asked to; of anything else the long form says it three times. */
const AT_A_TIME = /^\d+ \d+ \* \* \*$/;

const A_MINUTE = /^\d+ \* /;

/** A cron expression in words; nothing where it cannot be read. */
export default function CronText({ cron }: { cron: string }) {
  const locale = useLanguage();
  const text = cronstrue.toString(cron, {
    locale,
    use24HourTimeFormat: true,
    verbose: AT_A_TIME.test(cron),
    throwExceptionOnParseError: false,
  });
  // In Korean it says a minute of every hour as a length of time.
  const isEveryHour = locale === "ko" && A_MINUTE.test(cron);
  return text.startsWith("Error") ? null : <span data-cron-words>{isEveryHour ? `매시 ${text}` : text}</span>;
}
