/** The URLs in a field with one per line. */
export function urlsIn(text: string): string[] {
  return text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The first entry that is not an http or https URL. */
export function badUrlIn(text: string): string | undefined {
  return urlsIn(text).find((url) => !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)));
}
