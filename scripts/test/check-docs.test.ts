import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findDocProblems } from "../check-docs.mjs";

function problemsOf(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), "andon-docs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return findDocProblems(root);
}

test("a page without its counterpart, a broken link and an empty page are found", () => {
  const found = problemsOf({
    "README.md": "# A\n[guide](docs/en/guide.md#start) [site](https://example.org) [gone](docs/en/gone.md)\n",
    "docs/en/README.md": "[guide](guide.md) [alone](alone.md)\n",
    "docs/ko/README.md": "[guide](guide.md)\n",
    "docs/en/guide.md": "# Guide\n```md\n[only an example](nowhere.md)\n```\n[back](../../README.md)\n",
    "docs/ko/guide.md": "\n",
    "docs/en/alone.md": "# Alone\n",
  });
  expect(found).toEqual([
    { file: "docs/en/alone.md", line: 1, rule: "has no counterpart in docs/ko" },
    { file: "README.md", line: 2, rule: "links to docs/en/gone.md, which does not exist" },
    { file: "docs/ko/guide.md", line: 1, rule: "is empty" },
  ]);
});

test("a page missing from the index, and indexes in different order, are found", () => {
  const pages = { "a.md": "# A\n", "b.md": "# B\n", "hidden.md": "# Hidden\n" };
  const inBoth = ["en", "ko"].flatMap((language) =>
    Object.entries(pages).map(([name, text]) => [`docs/${language}/${name}`, text]),
  );
  const found = problemsOf({
    ...Object.fromEntries(inBoth),
    "docs/en/README.md": "[ko](../ko/README.md) [a](a.md) [b](b.md)\n",
    "docs/ko/README.md": "[en](../en/README.md) [b](b.md) [a](a.md)\n",
  });
  expect(found).toEqual([
    { file: "docs/en/hidden.md", line: 1, rule: "is not linked from docs/en/README.md" },
    { file: "docs/ko/hidden.md", line: 1, rule: "is not linked from docs/ko/README.md" },
    { file: "docs/ko/README.md", line: 1, rule: "lists b.md where docs/en/README.md lists a.md" },
  ]);
});

test("decisions and performance notes are in English only", () => {
  const found = problemsOf({
    "docs/en/README.md": "[speed](performance.md) [a](a.md) [why](decisions/0001-why.md)\n",
    "docs/ko/README.md": "[a](a.md) [speed](performance.md)\n",
    "docs/en/a.md": "# A\n",
    "docs/ko/a.md": "# A\n",
    "docs/en/performance.md": "# Speed\n",
    "docs/ko/performance.md": "# Speed\n",
    "docs/en/decisions/0001-why.md": "# Why\n",
  });
  expect(found).toEqual([
    { file: "docs/ko/performance.md", line: 1, rule: "is a note that is written in English alone" },
  ]);
});

test("a missing file that ARCHITECTURE.md names is found", () => {
  const found = problemsOf({
    "ARCHITECTURE.md": "`store/src/claim.ts`, `verbs/{retry,skip}.ts`\n`*-checks.ts` `old/tidying.ts`\n",
    "packages/store/src/claim.ts": "",
    "packages/engine/src/verbs/retry.ts": "",
    "packages/cli/src/disk-checks.ts": "",
  });
  expect(found).toEqual([
    { file: "ARCHITECTURE.md", line: 1, rule: "names verbs/skip.ts, which does not exist" },
    { file: "ARCHITECTURE.md", line: 2, rule: "names old/tidying.ts, which does not exist" },
  ]);
});
