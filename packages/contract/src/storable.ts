/** Whether both databases store a text unchanged: PostgreSQL accepts no NUL, and an unpaired surrogate is not valid UTF-8. */
export function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}
