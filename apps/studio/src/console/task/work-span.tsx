import { spanText, useWords } from "@andon/console/room";
import { useStudioWords } from "../i18n/words.ts";

/** How long a phase was at work; a part of a second matters too. */
export function WorkSpan({ ms }: { ms: number }) {
  const say = useStudioWords();
  const words = useWords();
  return <>{say.elapsed(ms < 1_000 ? `${ms} ms` : spanText(ms, words))}</>;
}
