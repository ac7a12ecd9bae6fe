import { PARTICLES, type Particle, particleAfter } from "./particles.ts";

/** `{name}` or `{name:one|many}`, and a Korean particle behind it, with quotes and brackets between them. */
const PLACE = new RegExp(`\\{(\\w+)(?::([^{}|]*)\\|([^{}|]*))?\\}(?:([^\\s{}가-힣]*?)(${PARTICLES}))?`, "g");

/**
 * A text with its facts in it: `{name}` is the fact, `{name:job|jobs}` the word for one of them or for any other number.
 * A Korean particle behind a fact, as in `{name}이(가)`, becomes the form that the fact takes.
 * What has no fact stays as it is written, unless `absent` says what stands for it.
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
