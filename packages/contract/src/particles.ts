/**
 * Korean particles after a value. A text writes both forms, as in `큐 "{queue}"을(를)`; the form that is shown depends on how
 * the value's last sound is read: a final consonant takes the first form, a vowel the second.
 */
const FORMS = {
  "이(가)": ["이", "가"],
  "은(는)": ["은", "는"],
  "을(를)": ["을", "를"],
  "과(와)": ["과", "와"],
  "(으)로": ["으로", "로"],
} as const;

export type Particle = keyof typeof FORMS;

/** Any particle that is written in both forms, as a part of a regular expression. */
export const PARTICLES = Object.keys(FORMS)
  .map((form) => form.replace(/[()]/g, "\\$&"))
  .join("|");

type Ending = "vowel" | "consonant" | "rieul";

/** The form of a particle that follows a word; both forms where the sound of the word is unknown. */
export function particleAfter(word: string, particle: Particle): string {
  const ending = endingOf(word);
  if (ending === undefined) return particle;
  const [afterConsonant, afterVowel] = FORMS[particle];
  const isLikeVowel = ending === "vowel" || (ending === "rieul" && particle === "(으)로");
  return isLikeVowel ? afterVowel : afterConsonant;
}

/** A word with its particle: `withParticle("큐", "을(를)")` is `큐를`. Quotes and brackets may follow the word. */
export function withParticle(word: string, particle: Particle): string {
  return word + particleAfter(word, particle);
}

/** How the last letter or digit of a word ends when it is read aloud. */
function endingOf(word: string): Ending | undefined {
  const last = /[\p{L}\p{N}](?=[^\p{L}\p{N}]*$)/u.exec(word);
  if (!last) return undefined;
  const [letter] = last;
  if (/[가-힣]/.test(letter)) return endingOfSyllable(letter);
  if (/[0-9]/.test(letter)) return DIGITS[Number(letter)];
  const letters = /([0-9]?)([A-Za-z]+)$/.exec(word.slice(0, last.index + 1));
  return letters ? endingOfLatin(letters[2] as string, letters[1] !== "") : undefined;
}

const SYLLABLES_FROM = 0xac00;
const FINALS = 28;
const RIEUL = 8;

function endingOfSyllable(syllable: string): Ending {
  const final = (syllable.charCodeAt(0) - SYLLABLES_FROM) % FINALS;
  if (final === 0) return "vowel";
  return final === RIEUL ? "rieul" : "consonant";
}

/** 영 일 이 삼 사 오 육 칠 팔 구; 십, 백, 천 and 만 end in a consonant as 영 does. */
const DIGITS: readonly Ending[] = [
  "consonant",
  "rieul",
  "vowel",
  "consonant",
  "vowel",
  "vowel",
  "consonant",
  "rieul",
  "rieul",
  "vowel",
];

/** Capitals and ids are read letter by letter (엘, 엠, 엔, 알), other words as one word: `file` 파일, `admin` 어드민, `report` 리포트. */
function endingOfLatin(letters: string, isAfterDigit: boolean): Ending {
  const isSpelled = isAfterDigit || letters.length === 1 || letters === letters.toUpperCase();
  if (isSpelled) {
    if (/[LR]$/i.test(letters)) return "rieul";
    return /[MN]$/i.test(letters) ? "consonant" : "vowel";
  }
  if (/le?$/i.test(letters)) return "rieul";
  return /([mn]e?|ng)$/i.test(letters) ? "consonant" : "vowel";
}
