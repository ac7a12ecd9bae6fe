/** Whether a text shows nothing: only spaces, characters without width, and filler letters. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u.test(text);
}
