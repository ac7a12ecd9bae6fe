import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const LANGUAGES = ["en", "ko"];
const MADE = new Set(["node_modules", "dist"]);

/** Notes for developers exist only in English. */
const ENGLISH_ONLY = /^(decisions\/.*|performance\.md)$/;

/** Findings in the pages of one tree: `{ file, line, rule }`. */
export function findDocProblems(root) {
  const findings = [];
  const pages = Object.fromEntries(
    LANGUAGES.map((language) => [language, listFiles(join(root, "docs", language))]),
  );
  for (const language of LANGUAGES) {
    for (const other of LANGUAGES) {
      for (const page of pages[language].filter((name) => !pages[other].includes(name))) {
        if (language === "en" && ENGLISH_ONLY.test(page)) continue;
        findings.push({
          file: `docs/${language}/${page}`,
          line: 1,
          rule: `has no counterpart in docs/${other}`,
        });
      }
    }
  }
  for (const page of pages.ko.filter((name) => ENGLISH_ONLY.test(name))) {
    findings.push({ file: `docs/ko/${page}`, line: 1, rule: "is a note that is written in English alone" });
  }
  findings.push(...indexProblems(root, pages), ...namedFileProblems(root));
  for (const file of listPages(root)) {
    const text = readFileSync(join(root, file), "utf8");
    if (text.trim() === "") findings.push({ file, line: 1, rule: "is empty" });
    for (const { target, line } of relativeLinks(text)) {
      if (!existsSync(join(root, dirname(file), target))) {
        findings.push({ file, line, rule: `links to ${target}, which does not exist` });
      }
    }
  }
  return findings;
}

const INDEX = "README.md";

/** Every page is linked from the index of its language, and both indexes have the same order. */
function indexProblems(root, pages) {
  const findings = [];
  const orders = LANGUAGES.map((language) => {
    const index = join(root, "docs", language, INDEX);
    const links = existsSync(index) ? relativeLinks(readFileSync(index, "utf8")) : [];
    const listed = links.map(({ target }) => target).filter((target) => !target.startsWith(".."));
    for (const page of pages[language].filter((name) => name !== INDEX && !listed.includes(name))) {
      findings.push({
        file: `docs/${language}/${page}`,
        line: 1,
        rule: `is not linked from docs/${language}/${INDEX}`,
      });
    }
    return listed;
  });
  const [english, korean] = orders.map((pages) => pages.filter((page) => !ENGLISH_ONLY.test(page)));
  const place = english.findIndex((page, index) => korean.includes(page) && korean[index] !== page);
  if (place >= 0) {
    const rule = `lists ${korean[place]} where docs/en/${INDEX} lists ${english[place]}`;
    findings.push({ file: `docs/ko/${INDEX}`, line: 1, rule });
  }
  return findings;
}

const ARCHITECTURE = "ARCHITECTURE.md";
const SOURCE_FOLDERS = ["apps", "bench", "examples", "packages", "proof", "scripts"];

/** Every file that ARCHITECTURE.md names by a path must exist, including paths with `{a,b}` and `*`. */
function namedFileProblems(root) {
  if (!existsSync(join(root, ARCHITECTURE))) return [];
  const known = SOURCE_FOLDERS.flatMap((folder) => listFiles(join(root, folder), `${folder}/`));
  const lines = readFileSync(join(root, ARCHITECTURE), "utf8").split("\n");
  return lines.flatMap((text, index) =>
    [...text.matchAll(/`([\w.*{},/-]+\.(?:tsx?|mjs|sql))`/g)]
      .flatMap(([, path]) => alternatives(path))
      .filter((path) => !known.some((file) => isNamedBy(path, file)))
      .map((path) => ({ file: ARCHITECTURE, line: index + 1, rule: `names ${path}, which does not exist` })),
  );
}

function alternatives(path) {
  const [, before, choices, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return choices === undefined ? [path] : choices.split(",").map((choice) => `${before}${choice}${after}`);
}

function isNamedBy(path, file) {
  const pattern = path.replace(/[.]/g, "\\.").replace(/\*/g, "[^/]*");
  return new RegExp(`(^|/)${pattern}$`).test(file);
}

function listPages(root) {
  const top = readdirSync(root).filter((name) =>
    /^(README.*|ARCHITECTURE.*|CONTRIBUTING.*|CHANGELOG|SECURITY)\.md$/i.test(name),
  );
  const docs = listFiles(join(root, "docs")).filter((name) => name.endsWith(".md"));
  return [...top, ...docs.map((name) => `docs/${name}`)];
}

function listFiles(folder, prefix = "") {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !MADE.has(name));
  return entries.flatMap((entry) =>
    entry.isDirectory()
      ? listFiles(join(folder, entry.name), `${prefix}${entry.name}/`)
      : [`${prefix}${entry.name}`],
  );
}

function relativeLinks(text) {
  const links = [];
  let inCode = false;
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    if (inCode) continue;
    const prose = line.replace(/`[^`]*`/g, "");
    const inline = prose.matchAll(/\]\(\s*<?([^)\s>]+)/g);
    const defined = prose.matchAll(/^\s*\[[^\]]+\]:\s*<?([^\s>]+)/g);
    for (const [, address] of [...inline, ...defined]) {
      if (/^([a-z][a-z0-9+.-]*:|#|\/\/)/i.test(address)) continue;
      links.push({ target: decodeURI(address.replace(/[#?].*$/, "")), line: index + 1 });
    }
  }
  return links;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const findings = findDocProblems(fileURLToPath(new URL("..", import.meta.url)));
  for (const { file, line, rule } of findings) console.error(`${file}:${line} ${rule}`);
  if (findings.length > 0) process.exit(1);
}
