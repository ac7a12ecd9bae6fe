import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** The code blocks of the guide that show the app: the file and its lines. */
function shownParts(language: string): (readonly [file: string, lines: string])[] {
  const page = read(`../../../docs/${language}/guide/write-an-app.md`);
  return [...page.matchAll(/^```tsx\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, file = "", lines = ""]) => [file, lines] as const,
  );
}

test("the code blocks of the guide are in the app's files, in both languages", () => {
  const parts = shownParts("en");
  expect(parts.length).toBeGreaterThan(4);
  for (const [file, lines] of parts) expect([file, read(`../${file}`).includes(lines)]).toEqual([file, true]);
  expect(shownParts("ko")).toEqual(parts);
});
