import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listSources } from "./source-imports.mjs";

/** The engine's tables are defined here. Every other package and app uses `andon.reading` or the store's readers. */
const MIGRATIONS = "packages/store/migrations";
const MAY_READ = ["packages/store/", "packages/engine/", "packages/testkit/", "bench/", "proof/", "scripts/"];
/** The views of the engine that an app's views may read. Their columns change only with a new version of the contract. */
const PUBLISHED = ["andon_job_states", "andon_schedule_times"];

/** A table name follows one of these words. Metrics, cookies and tokens that begin with `andon_` do not. */
const NAMED = /\b(?:from|join|into|update|table|references|on)\s+(?:only\s+)?(andon_\w+)/gi;

/** Findings of one source tree: `{ file, line, rule }`. */
export function findEngineTables(root) {
  const tables = tablesOf(root);
  const findings = [];
  for (const file of [...listSources(root, ["packages", "apps", "examples"]), ...migrationsOf(root)]) {
    if (MAY_READ.some((folder) => file.startsWith(folder)) || isTest(file)) continue;
    const text = readFileSync(join(root, file), "utf8");
    for (const { 1: table, index } of text.matchAll(NAMED)) {
      if (!tables.has(table.toLowerCase())) continue;
      if (file.endsWith(".sql") && PUBLISHED.includes(table.toLowerCase())) continue;
      const line = text.slice(0, index).split("\n").length;
      findings.push({ file, line, rule: `${table} is a table of the engine: ask andon.reading` });
    }
  }
  return findings;
}

/** The tables and views that the engine's migrations create. */
function tablesOf(root) {
  const names = new Set();
  for (const file of sqlBelow(root, MIGRATIONS)) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [, name] of text.matchAll(/\bcreate (?:table|view)\s+(?:if not exists\s+)?(andon_\w+)/gi))
      names.add(name.toLowerCase());
  }
  return names;
}

function migrationsOf(root) {
  return ["packages", "apps", "examples"].flatMap((area) =>
    foldersOf(root, area).flatMap((name) => sqlBelow(root, `${area}/${name}/migrations`)),
  );
}

function foldersOf(root, area) {
  return entriesOf(root, area)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function sqlBelow(root, folder) {
  return entriesOf(root, folder).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sqlBelow(root, path);
    return path.endsWith(".sql") ? [path] : [];
  });
}

function entriesOf(root, folder) {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

const isTest = (file) => /(^|\/)test\/|\.test\.\w+$/.test(file);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const findings = findEngineTables(fileURLToPath(new URL("..", import.meta.url)));
  for (const { file, line, rule } of findings) console.error(`${file}:${line} ${rule}`);
  if (findings.length > 0) process.exit(1);
}
