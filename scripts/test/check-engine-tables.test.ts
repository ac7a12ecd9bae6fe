import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findEngineTables } from "../check-engine-tables.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "andon-tables-"));
  tree({
    "packages/store/migrations/sqlite/001-jobs.sql":
      "create table andon_jobs (pos integer);\ncreate table andon_lanes (queue text);\ncreate view andon_job_states as\nselect * from andon_jobs;\n",
  });
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

const found = () => findEngineTables(root).map(({ file, line }) => `${file}:${line}`);

test("SQL of an app or of the server that names a table of the engine is a finding", () => {
  tree({
    "apps/book/src/rows.ts": "const sql = `select 1\nfrom book b\nJOIN andon_jobs j on j.id = b.job_id`;\n",
    "apps/book/src/state.ts": "const sql = 'select job_state from andon_job_states';\n",
    "apps/book/migrations/sqlite/001-book.sql": "create view shown as\nselect 1 from andon_lanes;\n",
    "packages/server/src/write.ts": "tx.query('update andon_lanes set queue = 1');\n",
  });
  expect(found().sort()).toEqual([
    "apps/book/migrations/sqlite/001-book.sql:2",
    "apps/book/src/rows.ts:3",
    "apps/book/src/state.ts:1",
    "packages/server/src/write.ts:1",
  ]);
});

test("the store, tests, the published views and names that are not tables are allowed", () => {
  tree({
    "packages/store/src/a.ts": "const sql = 'select 1 from andon_jobs';\n",
    "apps/book/test/a.test.ts": "const sql = 'select 1 from andon_jobs';\n",
    "apps/book/migrations/sqlite/001-book.sql": "create view shown as select id from andon_job_states;\n",
    "packages/server/src/metrics.ts":
      "gauge('andon_jobs', 'Jobs by queue.');\nconst cookie = 'andon_session';\nconst sql = 'select 1 from andon_book';\n",
  });
  expect(found()).toEqual([]);
});
