import { useLanguage } from "../i18n/language.ts";

export function useNumber(): (value: number) => string {
  const language = useLanguage();
  return (value) => value.toLocaleString(language, { maximumFractionDigits: 1 });
}

export function Count({ value }: { value: number | null }) {
  const shown = useNumber();
  return <>{value === null ? "–" : shown(value)}</>;
}
