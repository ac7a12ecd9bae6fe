import { useWords } from "../i18n/words.ts";
import { useNumber } from "../ui/number.tsx";
import { exactSpanText } from "../ui/time.tsx";
import { isTime, type Value } from "./chart-panels.ts";

/** Formats a value of a point: a count, or a duration. */
export function useValueText(): (name: Value, value: number | null) => string {
  const words = useWords();
  const number = useNumber();
  return (name, value) => {
    if (value === null) return "–";
    return isTime(name) ? exactSpanText(value, words) : number(value);
  };
}
