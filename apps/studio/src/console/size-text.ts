const UNITS = ["B", "kB", "MB", "GB"] as const;
const STEP = 1_000;

/** A number of bytes in the unit that keeps it below a thousand. */
export function sizeText(bytes: number, language: string): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / STEP ** unit;
  return `${value.toLocaleString(language, { maximumFractionDigits: unit === 0 ? 0 : 1 })} ${UNITS[unit]}`;
}
