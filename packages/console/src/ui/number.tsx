import { useLanguage } from "../i18n/language.ts";

const FORM: Intl.NumberFormatOptions = { maximumFractionDigits: 1 };
const FORMATS = { ko: new Intl.NumberFormat("ko", FORM), en: new Intl.NumberFormat("en", FORM) };

export function useNumber(): (value: number) => string {
  return FORMATS[useLanguage()].format;
}

export function Count({ value }: { value: number | null }) {
  const shown = useNumber();
  return <>{value === null ? "–" : shown(value)}</>;
}
