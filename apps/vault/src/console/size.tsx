import { useLanguage } from "@andon/console/room";

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;
const STEP = 1_000;

/** A number of bytes in the unit that keeps it below a thousand. */
export function sizeText(bytes: number, language: string): string {
  let value = bytes;
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit++;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toLocaleString(language, { maximumFractionDigits: digits })} ${UNITS[unit]}`;
}

export function Size({ bytes }: { bytes: number }) {
  const language = useLanguage();
  return (
    <span title={`${bytes.toLocaleString(language)} B`} className="whitespace-nowrap">
      {sizeText(bytes, language)}
    </span>
  );
}
