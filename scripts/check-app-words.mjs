import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listSources } from "./source-imports.mjs";

/**
 * Finds words of an app in the packages: an app is one folder, and adding one must change nothing else. Each app lists its
 * own words in its package.json (`"andon": { "words": [...] }`). Tests may use an app as an example.
 */
export function findAppWords(root) {
  const words = readdirSync(join(root, "apps"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => wordsOf(root, name));
  if (words.length === 0) return [];
  const pattern = new RegExp(
    words.map(({ word }) => `(?<![A-Za-z])${escaped(word)}(?![a-z])`).join("|"),
    "gi",
  );
  const findings = [];
  for (const file of listSources(root, ["packages"]).filter((name) => !isTest(name))) {
    const lines = readFileSync(join(root, file), "utf8").split("\n");
    lines.forEach((text, index) => {
      for (const [found] of text.matchAll(pattern)) {
        const app = words.find(({ word }) => word.toLowerCase() === found.toLowerCase())?.app;
        findings.push({
          file,
          line: index + 1,
          rule: `"${found}" is a word of apps/${app}: packages know no app`,
        });
      }
    });
  }
  return findings;
}

function wordsOf(root, app) {
  let manifest;
  try {
    manifest = JSON.parse(readFileSync(join(root, "apps", app, "package.json"), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
  return (manifest.andon?.words ?? []).map((word) => ({ app, word }));
}

const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const isTest = (file) => /(^|\/)(test|queries)\/|\.test\.\w+$|packages\/testkit\//.test(file);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const findings = findAppWords(fileURLToPath(new URL("..", import.meta.url)));
  for (const { file, line, rule } of findings) console.error(`${file}:${line} ${rule}`);
  if (findings.length > 0) process.exit(1);
}
