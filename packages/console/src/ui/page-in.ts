/** The page number in an address, at least 1. */
export function pageIn(text: string | undefined): number {
  return Math.max(1, Number.parseInt(text ?? "1", 10) || 1);
}
