/** Whether nothing of a text is seen: spaces, characters without width, and letters that stand for an empty place. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u.test(text);
}
