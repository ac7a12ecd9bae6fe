/**
 * A text with its facts in it: `{name}` is the fact, `{name:job|jobs}` the word for one of them or for any other number.
 * What has no fact stays as it is written, unless `absent` says what stands for it.
 */
export function filledIn(
  text: string,
  facts: Readonly<Record<string, unknown>>,
  absent: (whole: string) => string = (whole) => whole,
): string {
  return text.replace(
    /\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}/g,
    (whole, name: string, one?: string, many?: string) => {
      const fact = facts[name];
      if (fact === undefined || fact === null) return absent(whole);
      return one === undefined ? String(fact) : String(Number(fact) === 1 ? one : many);
    },
  );
}
