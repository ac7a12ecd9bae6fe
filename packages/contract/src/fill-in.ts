import { PARTICLES, type Particle, particleAfter } from "./particles.ts";

/** `{name}` or `{name:one|many}`, then quotes and brackets, then a Korean particle; the last two may be absent. */
const PLACE = new RegExp(`\\{(\\w+)(?::([^{}|]*)\\|([^{}|]*))?\\}(?:([^\\s{}가-힣]*?)(${PARTICLES}))?`, "g");

/**
 * Fills a text with facts: `{name}` becomes the fact, `{name:job|jobs}` the first word if the fact is 1 and the second otherwise.
 * A Korean particle behind a fact, as in `{name}이(가)`, takes the form that fits the fact.
 * A place without a fact stays as it is written, or becomes what `absent` returns for it.
 */
export function filledIn(
  text: string,
  facts: Readonly<Record<string, unknown>>,
  absent: (whole: string) => string = (whole) => whole,
): string {
  return text.replace(
    PLACE,
    (whole, name: string, one?: string, many?: string, between = "", particle?: Particle) => {
      const tail = between + (particle ?? "");
      const fact = facts[name];
      if (fact === undefined || fact === null) {
        return absent(whole.slice(0, whole.length - tail.length)) + tail;
      }
      const shown = one === undefined ? String(fact) : String(Number(fact) === 1 ? one : many);
      return shown + between + (particle ? particleAfter(shown, particle) : "");
    },
  );
}
