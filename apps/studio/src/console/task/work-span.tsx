import { spanText, useWords } from "@andon/console/room";
import { useStudioWords } from "../i18n/words.ts";

/** The time that a phase was at work, in milliseconds if below a second. */
export function WorkSpan({ ms }: { ms: number }) {
  const say = useStudioWords();
  const words = useWords();
  return <>{say.elapsed(ms < 1_000 ? `${ms} ms` : spanText(ms, words))}</>;
}
