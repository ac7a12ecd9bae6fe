/** Text that both databases store as it was given: PostgreSQL takes no NUL, and half a character is no UTF-8. */
export function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}
