import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Block, blocksOf } from "../src/runbooks/markdown.ts";

const FOLDER = new URL("../../../docs/", import.meta.url);
const PAGES = ["en", "ko"].flatMap((language) =>
  readdirSync(new URL(`${language}/runbooks/`, FOLDER)).map((name) => `${language}/runbooks/${name}`),
);

test.each(PAGES)("the console can render every part of %s", (page) => {
  const text = readFileSync(new URL(page, FOLDER), "utf8");
  const [title, ...blocks] = blocksOf(text);
  expect(title).toMatchObject({ kind: "heading", level: 1 });
  const all = whole(blocks);
  const count = (kind: Block["kind"]) => all.filter((block) => block.kind === kind).length;
  expect(count("code")).toBe((text.match(/^ *```/gm) ?? []).length / 2);
  expect(count("table")).toBe((text.match(/^ *\|[-|]+\|$/gm) ?? []).length);
  expect(count("heading")).toBe((text.match(/^#{2,} /gm) ?? []).length);
  // Markdown that is not recognized would leave its markup in a text.
  const texts = all.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  expect(texts.filter((each) => /```|^\||^#/.test(each))).toEqual([]);
  for (const table of all)
    if (table.kind === "table") for (const row of table.rows) expect(row).toHaveLength(table.head.length);
});

function whole(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) => [block, ...(block.kind === "list" ? whole(block.items.flat()) : [])]);
}
