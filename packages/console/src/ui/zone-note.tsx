import { useWords } from "../i18n/words.ts";

/** The time zone of all times on the page, which is the browser's: its name and its offset. */
export function ZoneNote() {
  const { time } = useWords();
  const format = new Intl.DateTimeFormat("en", { timeZoneName: "longOffset" });
  const offset = format.formatToParts().find(({ type }) => type === "timeZoneName")?.value ?? "";
  return (
    <footer className="mx-auto max-w-7xl px-3 pb-4 text-xs text-faint sm:px-6">
      {time.zone(format.resolvedOptions().timeZone, offset)}
    </footer>
  );
}
