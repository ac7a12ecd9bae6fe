import type { Localized } from "@andon/contract";

const DEEPEST = 100;
const MOST_VALUES = 100_000;

const TOO_DEEP: Localized = {
  en: `it is nested deeper than ${DEEPEST} levels`,
  ko: `${DEEPEST}단계보다 깊게 중첩되어 있습니다`,
};
const TOO_WIDE: Localized = {
  en: `it has more than ${MOST_VALUES} values`,
  ko: `값이 ${MOST_VALUES}개를 넘습니다`,
};

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The reason to refuse a JSON text before it is parsed; undefined if there is none. Two megabytes of brackets take half a
 * second to parse and check, but a few milliseconds to count. The parser decides whether the text is valid JSON.
 */
export function costOfJson(text: string): Localized | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) {
      if (++values > MOST_VALUES) return TOO_WIDE;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > DEEPEST) return TOO_DEEP;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
  }
  return undefined;
}

/** The position of the quote that ends the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
