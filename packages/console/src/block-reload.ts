/** Checks for state that a reload would lose, such as uploads that are not done. */
const looks = new Set<() => boolean>();

/** Blocks automatic reloads of the page as long as `look` returns true. */
export function keepPageWhile(look: () => boolean): void {
  looks.add(look);
}

export function isWorthKeeping(): boolean {
  return [...looks].some((look) => look());
}
