import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { listSources, readImports } from "./source-imports.mjs";

/** Who may import whom. A folder that is not listed here is a finding, so that a new package gets a decision. */
const ARROWS = {
  "packages/contract": { name: "@andon/contract", mayImport: [] },
  "packages/engine": { name: "@andon/engine", mayImport: ["@andon/contract"] },
  "packages/store": { name: "@andon/store", mayImport: ["@andon/contract", "@andon/engine"] },
  "packages/andon": { name: "andon", mayImport: ["@andon/contract", "@andon/engine", "@andon/store"] },
  "packages/client": { name: "@andon/client", mayImport: ["@andon/contract"] },
  "packages/server": {
    name: "@andon/server",
    mayImport: ["@andon/console", "@andon/contract", "@andon/engine", "@andon/store", "@andon/vault"],
    testsMayImport: ["@andon/client"],
  },
  "packages/cli": {
    name: "@andon/cli",
    mayImport: ["@andon/client", "@andon/contract", "@andon/server"],
    testsMayImport: ["@andon/engine", "@andon/store"],
  },
  "packages/console": {
    name: "@andon/console",
    mayImport: ["@andon/client", "@andon/contract"],
    testsMayImport: ["@andon/server"],
  },
  "packages/storage": { name: "@andon/storage", mayImport: ["@andon/contract"] },
  "packages/testkit": {
    name: "@andon/testkit",
    mayImport: ["@andon/contract", "@andon/engine", "@andon/store"],
  },
  "apps/vault": {
    name: "@andon/vault",
    mayImport: ["@andon/contract", "@andon/engine", "@andon/storage"],
    testsMayImport: ["@andon/client", "@andon/server", "@andon/store"],
  },
  // Programs use the front door alone; the tests beside them compare the docs with what the packages say of themselves.
  examples: { mayImport: ["andon"], testsMayImport: ["@andon/contract", "@andon/engine", "@andon/server"] },
  bench: { mayImport: ["@andon/contract", "@andon/engine", "@andon/store", "@andon/testkit", "andon"] },
  proof: { mayImport: ["@andon/contract", "@andon/engine", "@andon/store", "@andon/testkit", "andon"] },
  scripts: { mayImport: [] },
};

/** Modules of others that only some folders may use. */
const LIMITED_MODULES = {
  pg: ["packages/store", "packages/testkit", "bench"],
  "node:sqlite": ["packages/store", "bench"],
  "@photostructure/sqlite": ["packages/store", "bench"],
  fastify: ["packages/server", "bench"],
};

/** Tests may also import these, and open the databases that their package may reach. */
const FOR_TESTS = ["@andon/testkit"];

const isTest = (file) => /(^|\/)test\/|\.test\.\w+$/.test(file);

/** Findings of one source tree: `{ file, line, rule }`. */
export function findArrowViolations(root) {
  const findings = [];
  for (const file of listSources(root, ["packages", "apps", "examples", "bench", "proof", "scripts"])) {
    const folder = folderOf(file);
    const area = ARROWS[folder];
    if (!area) {
      findings.push({ file, line: 1, rule: `${folder} has no entry in the table of import arrows` });
      continue;
    }
    for (const { specifier, line } of readImports(root, file)) {
      const rule = brokenRule(file, folder, area, specifier);
      if (rule) findings.push({ file, line, rule });
    }
  }
  return findings;
}

function brokenRule(file, folder, area, specifier) {
  const test = isTest(file);
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(file), specifier);
    return target.startsWith(`${folder}/`)
      ? undefined
      : `${specifier} leaves ${folder}; import the package by its name`;
  }
  const name = packageOf(specifier);
  if (name === area.name) {
    return test ? undefined : `${name} imports itself by name; use a relative path`;
  }
  if (Object.values(ARROWS).some((other) => other.name === name) || name.startsWith("@andon/")) {
    const allowed = test ? [...area.mayImport, ...(area.testsMayImport ?? []), ...FOR_TESTS] : area.mayImport;
    if (allowed.includes(name)) return undefined;
    if (FOR_TESTS.includes(name)) return `${name} is for tests and bench only`;
    return `${folder} may not import ${name}; allowed: ${allowed.join(", ") || "nothing of ours"}`;
  }
  const owners = LIMITED_MODULES[name];
  if (!owners || owners.includes(folder)) return undefined;
  if (test && area.mayImport.includes("@andon/store") && owners.includes("packages/store")) return undefined;
  return `${folder} may not import ${name}; allowed in: ${owners.join(", ") || "no folder yet"}`;
}

function folderOf(file) {
  const parts = file.split("/");
  return parts[0] === "packages" || parts[0] === "apps" ? parts.slice(0, 2).join("/") : parts[0];
}

function packageOf(specifier) {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const findings = findArrowViolations(fileURLToPath(new URL("..", import.meta.url)));
  for (const { file, line, rule } of findings) console.error(`${file}:${line} ${rule}`);
  if (findings.length > 0) process.exit(1);
}
