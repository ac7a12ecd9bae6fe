/** Only what is a time: an address can be typed by hand. */
export function timeIn(text: string | undefined): string | undefined {
  const at = new Date(text ?? "");
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
