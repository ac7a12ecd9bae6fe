/**
 * Runs the code of the guides. The `ts` blocks of one page, in order, are one program. It must close what it opened, end by
 * itself, and print nothing to stderr. Both languages show the same code.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, type RedisServer, spawnNode, startRedis, type TestDatabase } from "@andon/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";

const guides = (language: string) => new URL(`../docs/${language}/guide/`, import.meta.url);
const pages = readdirSync(guides("en"));
// Below node_modules, so that the programs find the packages.
const programs = new URL("../node_modules/.cache/guides/", import.meta.url);
const scratch = mkdtempSync(join(tmpdir(), "andon-guides-"));
let database: TestDatabase;
let redis: RedisServer;

beforeAll(async () => {
  mkdirSync(programs, { recursive: true });
  database = await createDatabase();
  redis = await startRedis();
});

afterAll(async () => {
  await database.drop();
  await redis.stop();
  rmSync(scratch, { recursive: true, force: true });
});

function blocksOf(language: string, page: string): string[] {
  const text = readFileSync(new URL(page, guides(language)), "utf8");
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code as string);
}

const withoutComments = (code: string) => code.replace(/[ \t]*\/\/ .*$/gm, "");

test.for(pages)("%s shows the same code in both languages", (page) => {
  expect(blocksOf("ko", page).map(withoutComments)).toEqual(blocksOf("en", page).map(withoutComments));
});

test.for(pages.filter((page) => blocksOf("en", page).length > 0))("the code of %s runs", async (page) => {
  const hasSqlite = Number.parseInt(process.versions.node, 10) >= 22;
  const code = blocksOf("en", page).join("\n");
  const program = new URL(page.replace(/\.md$/, ".mts"), programs);
  writeFileSync(program, hasSqlite ? code : code.replace('"node:sqlite"', '"@photostructure/sqlite"'));
  const child = spawnNode(program, [], {
    DATABASE_URL: database.url,
    DATABASE_FILE: join(scratch, "shop.db"),
    REDIS_URL: redis.url,
  });
  child.end();
  const { code: exitCode } = await child.exited;
  const stderr = child.stderr.replace(/^.*ExperimentalWarning.*\n.*--trace-warnings.*\n/gm, "");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
});
