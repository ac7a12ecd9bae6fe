import type { Localized } from "./errors.ts";
import { withParticle } from "./particles.ts";

/** A comparison takes time by the product of the two lengths. A longer word is not a mistyped name. */
const LONGEST_COMPARED = 64;

/** The known word nearest to a mistyped one, the first of equally near ones; undefined where none is near enough. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  if (given.length > LONGEST_COMPARED) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const word of known) {
    if (Math.abs(word.length - given.length) >= bestDistance) continue;
    const distance = editDistance(given.toLowerCase(), word.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [word, distance];
  }
  return best;
}

/** The hint for an unknown option, in English. */
export function didYouMean(given: string, known: readonly string[]): string {
  return guessFor(given, known).en;
}

/** The hint for an unknown word, in both languages. */
export function guessFor(given: string, known: readonly string[]): Localized {
  const guess = nearest(given, known);
  const all = known.join(", ");
  return guess
    ? { en: `Did you mean "${guess}"?`, ko: `${withParticle(`"${guess}"`, "을(를)")} 쓰려고 했나요?` }
    : { en: `Known: ${all}.`, ko: `쓸 수 있는 것: ${all}.` };
}

/** The number of typing mistakes between two words; two swapped letters are one mistake. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (beforeLast[j - 2] as number) + 1 : replace;
      current[j] = Math.min(replace, swap, (previous[j] as number) + 1, (current[j - 1] as number) + 1);
    }
    [beforeLast, previous] = [previous, current];
  }
  return previous[b.length] as number;
}
