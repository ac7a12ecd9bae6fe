import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** The parts of the app that the guide shows: its file, and the lines of it. */
function shownParts(language: string): (readonly [file: string, lines: string])[] {
  const page = read(`../../../docs/${language}/guide/write-an-app.md`);
  return [...page.matchAll(/^```tsx\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, file = "", lines = ""]) => [file, lines] as const,
  );
}

test("the guide shows the app as it is", () => {
  const parts = shownParts("en");
  expect(parts.length).toBeGreaterThan(4);
  for (const [file, lines] of parts) expect([file, read(`../${file}`).includes(lines)]).toEqual([file, true]);
  expect(shownParts("ko")).toEqual(parts);
});
