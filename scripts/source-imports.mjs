import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { parseSync } from "oxc-parser";

const SKIPPED_FOLDERS = new Set(["node_modules", "dist", "results"]);
const SOURCE = /(?<!\.d)\.(ts|tsx|mts|js|mjs)$/;

/** Every source file below the given folders, as paths relative to `root` with forward slashes. */
export function listSources(root, folders) {
  const files = [];
  for (const folder of folders) visit(join(root, folder));
  return files.sort();

  function visit(folder) {
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      if (error.code === "ENOENT") return;
      throw error;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name)) visit(path);
      } else if (SOURCE.test(entry.name)) {
        files.push(relative(root, path).split(sep).join("/"));
      }
    }
  }
}

/**
 * What one file imports: `{ specifier, line, kind }`. `static` runs when the file is loaded, `type` never runs,
 * `lazy` runs when the code gets there.
 */
export function readImports(root, file) {
  const source = readFileSync(join(root, file), "utf8");
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const found = [];
  walk(program, (node) => {
    const [literal, kind] = importedBy(node) ?? [];
    if (typeof literal?.value !== "string") return;
    found.push({ specifier: literal.value, line: source.slice(0, node.start).split("\n").length, kind });
  });
  return found;
}

function importedBy(node) {
  switch (node.type) {
    case "ImportDeclaration":
      return [node.source, node.importKind === "type" ? "type" : "static"];
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return [node.source, node.exportKind === "type" ? "type" : "static"];
    case "TSImportType":
      return [node.source, "type"];
    case "ImportExpression":
      return [node.source, "lazy"];
    case "CallExpression":
      // These calls also load or resolve a module, so the same rules apply.
      return isRequire(node.callee) ? [node.arguments[0], "lazy"] : undefined;
  }
}

function isRequire(callee) {
  if (callee.type === "Identifier") return callee.name === "require";
  if (callee.type !== "MemberExpression") return false;
  if (callee.property.name === "getBuiltinModule") return true;
  const fromModule = callee.object.name === "require" || callee.object.type === "MetaProperty";
  return fromModule && callee.property.name === "resolve";
}

function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const child of node) walk(child, visit);
  } else if (node && typeof node === "object") {
    if (typeof node.type === "string") visit(node);
    for (const key in node) walk(node[key], visit);
  }
}
