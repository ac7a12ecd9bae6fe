import { spanText, useLanguage, useWords } from "@andon/console/room";

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;
const STEP = 1_000;

/** A number of bytes in the unit that keeps it below a thousand. */
export function Size({ bytes }: { bytes: number }) {
  const language = useLanguage();
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / STEP ** unit;
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return (
    <span title={`${bytes.toLocaleString(language)} B`} className="whitespace-nowrap">
      {value.toLocaleString(language, { maximumFractionDigits: digits })} {UNITS[unit]}
    </span>
  );
}

/** A duration. */
export function Took({ ms }: { ms: number | null }) {
  const words = useWords();
  if (ms === null) return "–";
  const text = ms < STEP ? `${ms} ms` : spanText(ms, words);
  return <span className="whitespace-nowrap">{text}</span>;
}
