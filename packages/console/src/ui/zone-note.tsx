import { useWords } from "../i18n/words.ts";

/** The zone of every time on the page: the browser's, by name and distance. */
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
