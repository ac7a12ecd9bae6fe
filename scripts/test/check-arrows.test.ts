import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findArrowViolations } from "../check-arrows.mjs";
import { findCycles } from "../check-cycles.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "andon-arrows-"));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function tree(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

interface Finding {
  file: string;
  line: number;
  rule: string;
}

const lines = (findings: Finding[]) => findings.map(({ file, line, rule }) => `${file}:${line} ${rule}`);

test("imports along the arrows are allowed", () => {
  tree({
    "packages/engine/src/a.ts": `import type { Job } from "@andon/contract";\nimport { b } from "./b.ts";\n`,
    "packages/engine/src/b.ts": `import { readFile } from "node:fs/promises";\n`,
    "packages/engine/test/a.test.ts": `import { spawnNode } from "@andon/testkit";\nimport "../src/a.ts";\n`,
    "packages/store/src/a.ts": `import pg from "pg";\nconst sqlite = process.getBuiltinModule("node:sqlite");\n`,
    "packages/andon/test/a.test.ts": `import pg from "pg";\n`,
    "examples/a.ts": `import { andon } from "andon";\n`,
  });
  expect(findArrowViolations(root)).toEqual([]);
});

test("an import against an arrow is found with its line: type imports, exports and lazy imports too", () => {
  tree({
    "packages/contract/src/a.ts": `\n\nimport type { Engine } from "@andon/engine";\n`,
    "packages/engine/src/a.ts": `export * from "@andon/store";\n\nconst late = await import("andon");\n`,
    "examples/a.ts": `type Store = import("@andon/store").Store;\n`,
  });
  expect(lines(findArrowViolations(root))).toEqual([
    "examples/a.ts:1 examples may not import @andon/store; allowed: andon",
    "packages/contract/src/a.ts:3 packages/contract may not import @andon/engine; allowed: nothing of ours",
    "packages/engine/src/a.ts:1 packages/engine may not import @andon/store; allowed: @andon/contract",
    "packages/engine/src/a.ts:3 packages/engine may not import andon; allowed: @andon/contract",
  ]);
});

test("only the store may import databases, and only tests the testkit", () => {
  tree({
    "packages/engine/src/a.ts": `import pg from "pg";\nconst { DatabaseSync } = require("node:sqlite");\n`,
    "packages/engine/test/a.test.ts": `import pg from "pg";\n`,
    "packages/andon/src/a.ts": `import { startPostgres } from "@andon/testkit";\n`,
  });
  expect(lines(findArrowViolations(root))).toEqual([
    "packages/andon/src/a.ts:1 @andon/testkit is for tests and bench only",
    "packages/engine/src/a.ts:1 packages/engine may not import pg; allowed in: packages/store, packages/testkit, bench",
    "packages/engine/src/a.ts:2 packages/engine may not import node:sqlite; allowed in: packages/store, bench",
    "packages/engine/test/a.test.ts:1 packages/engine may not import pg; allowed in: packages/store, packages/testkit, bench",
  ]);
});

test("a relative import may not leave its package, and a package may not import itself by name", () => {
  tree({
    "packages/engine/src/a.ts": `import "../../contract/src/index.ts";\nimport "@andon/engine";\n`,
  });
  expect(lines(findArrowViolations(root))).toEqual([
    "packages/engine/src/a.ts:1 ../../contract/src/index.ts leaves packages/engine; import the package by its name",
    "packages/engine/src/a.ts:2 @andon/engine imports itself by name; use a relative path",
  ]);
});

test("a package without an entry in the table is a finding", () => {
  tree({ "packages/novel/src/a.ts": "export {};\n" });
  expect(lines(findArrowViolations(root))).toEqual([
    "packages/novel/src/a.ts:1 packages/novel has no entry in the table of import arrows",
  ]);
});

test("an app may import the console and the command only in its own folders for them, and nothing imports an app", () => {
  tree({
    "apps/novel/src/app.ts": `import "@andon/app";\nimport "@andon/console/app";\nimport "@andon/vault";\n`,
    "apps/novel/src/cli/index.ts": `import "@andon/cli/app";\nimport "@andon/cli";\n`,
    "apps/novel/src/console/index.ts": `import "@andon/console/app";\nimport "@andon/engine";\n`,
    "apps/novel/test/a.test.ts": `import "@andon/server";\nimport "@andon/apps/installed";\n`,
    "packages/console/src/a.ts": `import "@andon/novel/console";\nimport "@andon/apps/installed";\n`,
    "packages/console/vite.config.ts": `import "@andon/apps/installed";\n`,
  });
  expect(lines(findArrowViolations(root)).map((finding) => finding.split(";")[0])).toEqual([
    "apps/novel/src/app.ts:2 apps/novel may not import @andon/console/app",
    "apps/novel/src/app.ts:3 apps/novel may not import @andon/vault",
    "apps/novel/src/cli/index.ts:2 apps/novel may not import @andon/cli",
    "apps/novel/src/console/index.ts:2 apps/novel may not import @andon/engine",
    "packages/console/src/a.ts:1 packages/console may not import @andon/novel/console",
    "packages/console/src/a.ts:2 packages/console may not import @andon/apps/installed",
  ]);
});

test("cycles of files that load each other are found; type and lazy imports make no cycle", () => {
  tree({
    "packages/engine/src/a.ts": `import { b } from "./b.ts";\n`,
    "packages/engine/src/b.ts": `export {};\nexport { c } from "./c.ts";\n`,
    "packages/engine/src/c.ts": `import { type A } from "./a.ts";\n`,
    "packages/store/src/a.ts": `import { b } from "./b.ts";\n`,
    "packages/store/src/b.ts": `import type { A } from "./a.ts";\nconst late = () => import("./a.ts");\n`,
  });
  expect(lines(findCycles(root))).toEqual([
    "packages/engine/src/c.ts:1 circular import: packages/engine/src/a.ts → packages/engine/src/b.ts → packages/engine/src/c.ts → packages/engine/src/a.ts",
  ]);
});
