/** What would go with the page: one look for each thing that somebody may still need. */
const looks = new Set<() => boolean>();

/** As long as `look` finds something, the page is not loaded anew by itself. */
export function keepPageWhile(look: () => boolean): void {
  looks.add(look);
}

export function isWorthKeeping(): boolean {
  return [...looks].some((look) => look());
}
