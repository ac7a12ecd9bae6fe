import cronstrue from "cronstrue";
import "cronstrue/locales/ko.js";
import { useLanguage } from "../i18n/language.ts";

/** A time alone says "every day" only where it is asked to; of anything else the long form says it three times. */
const AT_A_TIME = /^\d+ \d+ \* \* \*$/;

/** A cron expression in words; nothing where it cannot be read. */
export default function CronText({ cron }: { cron: string }) {
  const locale = useLanguage();
  const text = cronstrue.toString(cron, {
    locale,
    use24HourTimeFormat: true,
    verbose: AT_A_TIME.test(cron),
    throwExceptionOnParseError: false,
  });
  return text.startsWith("Error") ? null : <span data-cron-words>{text}</span>;
}
