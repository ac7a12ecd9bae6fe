import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findDocProblems } from "../check-docs.mjs";

test("a page without its pair, a link to nowhere and an empty page are found", () => {
  const root = mkdtempSync(join(tmpdir(), "andon-docs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = {
    "README.md": "# A\n[guide](docs/en/guide.md#start) [site](https://example.org) [gone](docs/en/gone.md)\n",
    "docs/en/guide.md": "# Guide\n```md\n[only an example](nowhere.md)\n```\n[back](../../README.md)\n",
    "docs/ko/guide.md": "\n",
    "docs/en/alone.md": "# Alone\n",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  expect(findDocProblems(root)).toEqual([
    { file: "docs/en/alone.md", line: 1, rule: "has no counterpart in docs/ko" },
    { file: "README.md", line: 2, rule: "links to docs/en/gone.md, which does not exist" },
    { file: "docs/ko/guide.md", line: 1, rule: "is empty" },
  ]);
});
