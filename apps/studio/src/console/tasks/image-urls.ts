/** The addresses of a field with one per line. */
export function urlsIn(text: string): string[] {
  return text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The first that is no address of the web. */
export function badUrlIn(text: string): string | undefined {
  return urlsIn(text).find((url) => !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)));
}
