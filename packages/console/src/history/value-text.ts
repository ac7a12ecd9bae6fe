import { useWords } from "../i18n/words.ts";
import { useNumber } from "../ui/number.tsx";
import { exactSpanText } from "../ui/time.tsx";
import { isTime, type Value } from "./chart-panels.ts";

/** A value of a point as it is read: a count, or how long something took. */
export function useValueText(): (name: Value, value: number | null) => string {
  const words = useWords();
  const number = useNumber();
  return (name, value) => {
    if (value === null) return "–";
    return isTime(name) ? exactSpanText(value, words) : number(value);
  };
}
