/** Checks for state that a reload would lose, such as uploads that are not done. */
const checks = new Set<() => boolean>();

/** Blocks automatic reloads of the page as long as `isUnsaved` returns true. */
export function blockReloadWhile(isUnsaved: () => boolean): void {
  checks.add(isUnsaved);
}

export function isReloadBlocked(): boolean {
  return [...checks].some((isUnsaved) => isUnsaved());
}
