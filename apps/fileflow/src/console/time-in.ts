/** Undefined unless the text is a time, because anybody can type an address by hand. */
export function timeIn(text: string | undefined): string | undefined {
  const at = new Date(text ?? "");
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
