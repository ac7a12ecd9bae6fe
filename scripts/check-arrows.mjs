import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { listSources, readImports } from "./source-imports.mjs";

/** What every app may import, whatever its name: a new app needs no entry here. */
const APP = {
  mayImport: ["@andon/app", "@andon/contract", "@andon/engine", "@andon/storage"],
  parts: {
    "src/cli/": [
      "@andon/app",
      "@andon/cli/app",
      "@andon/client",
      "@andon/contract",
      "@andon/engine",
      "@andon/storage",
    ],
    // Runs in a browser, so it may not import the engine.
    "src/console/": ["@andon/client", "@andon/console/app", "@andon/console/room", "@andon/contract"],
  },
  testsMayImport: ["@andon/cli", "@andon/client", "@andon/console", "@andon/server", "@andon/store"],
};

/**
 * Which package may import which others, as a whole or through one of their entry points. A folder that is not listed here is
 * a finding, so that each new package needs a decision.
 */
const ARROWS = {
  "packages/contract": { name: "@andon/contract", mayImport: [] },
  "packages/engine": { name: "@andon/engine", mayImport: ["@andon/contract"] },
  "packages/store": { name: "@andon/store", mayImport: ["@andon/contract", "@andon/engine"] },
  "packages/andon": { name: "andon", mayImport: ["@andon/contract", "@andon/engine", "@andon/store"] },
  "packages/client": { name: "@andon/client", mayImport: ["@andon/contract"] },
  "packages/app": { name: "@andon/app", mayImport: ["@andon/contract", "@andon/engine"] },
  "packages/server": {
    name: "@andon/server",
    mayImport: [
      "@andon/app",
      "@andon/bullmq",
      "@andon/console",
      "@andon/contract",
      "@andon/engine",
      "@andon/store",
    ],
    testsMayImport: ["@andon/client"],
  },
  "packages/cli": {
    name: "@andon/cli",
    mayImport: ["@andon/client", "@andon/contract", "@andon/server"],
    testsMayImport: ["@andon/bullmq", "@andon/engine", "@andon/store"],
  },
  "packages/console": {
    name: "@andon/console",
    mayImport: ["@andon/client", "@andon/contract"],
    testsMayImport: ["@andon/bullmq", "@andon/server"],
  },
  "packages/storage": { name: "@andon/storage", mayImport: ["@andon/contract"] },
  "packages/bullmq": { name: "@andon/bullmq", mayImport: ["@andon/contract"] },
  "packages/testkit": {
    name: "@andon/testkit",
    mayImport: ["@andon/contract", "@andon/engine", "@andon/store"],
  },
  apps: {
    name: "@andon/apps",
    mayImport: [],
    testsMayImport: ["@andon/client", "@andon/contract", "@andon/server"],
  },
  "examples/address-book": APP,
  "examples/reference": { mayImport: ["@andon/contract", "@andon/engine", "@andon/server"] },
  // Programs use only the library's public package. The tests beside them compare the docs with the packages.
  examples: {
    mayImport: ["andon"],
    testsMayImport: ["@andon/contract", "@andon/engine", "@andon/server", "@andon/store"],
  },
  bench: { mayImport: ["@andon/contract", "@andon/engine", "@andon/store", "@andon/testkit", "andon"] },
  proof: { mayImport: ["@andon/contract", "@andon/engine", "@andon/store", "@andon/testkit", "andon"] },
  scripts: { mayImport: [] },
};

/** Only these files build a program from the list of apps. Tests may read the list too. */
const APP_LIST = "@andon/apps/installed";
const COMPOSITION_ROOTS = [
  "packages/server/src/main.ts",
  "packages/cli/src/main.ts",
  "packages/console/vite.config.ts",
  "examples/reference/installed.ts",
];

/** External modules that only some folders may use. */
const LIMITED_MODULES = {
  pg: ["packages/store", "packages/testkit", "bench"],
  "node:sqlite": ["packages/store", "bench"],
  "@photostructure/sqlite": ["packages/store", "bench"],
  fastify: ["packages/server", "bench"],
};

/** Tests may also import these, and may open the databases that their package may access. */
const FOR_TESTS = ["@andon/testkit"];

/** Scripts of a package, such as those that take screenshots, count as tests. */
const isTest = (file) => /(^|\/)test\/|\.test\.\w+$|^(packages|apps)\/[^/]+\/scripts\//.test(file);

/** Findings of one source tree: `{ file, line, rule }`. */
export function findArrowViolations(root) {
  const findings = [];
  for (const file of listSources(root, ["packages", "apps", "examples", "bench", "proof", "scripts"])) {
    const folder = folderOf(file);
    const area = areaOf(folder);
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
    if (specifier === APP_LIST && (test || COMPOSITION_ROOTS.includes(file))) return undefined;
    const allowed = allowedFor(file, folder, area);
    if (allowed.includes(name) || allowed.includes(specifier)) return undefined;
    if (FOR_TESTS.includes(name)) return `${name} is for tests and bench only`;
    return `${folder} may not import ${specifier}; allowed: ${allowed.join(", ") || "nothing of ours"}`;
  }
  const owners = LIMITED_MODULES[name];
  if (!owners || owners.includes(folder)) return undefined;
  if (test && area.mayImport.includes("@andon/store") && owners.includes("packages/store")) return undefined;
  return `${folder} may not import ${name}; allowed in: ${owners.join(", ") || "no folder yet"}`;
}

function allowedFor(file, folder, area) {
  if (isTest(file)) return [...area.mayImport, ...(area.testsMayImport ?? []), ...FOR_TESTS];
  const inside = file.slice(folder.length + 1);
  const part = Object.keys(area.parts ?? {}).find((each) => inside.startsWith(each));
  return part ? area.parts[part] : area.mayImport;
}

function areaOf(folder) {
  const app = /^(?:apps|examples)\/([^/]+)$/.exec(folder)?.[1];
  const area = ARROWS[folder] ?? (folder.startsWith("apps/") ? APP : undefined);
  return app && area ? { name: `@andon/${app}`, ...area } : area;
}

/** The folder of a file's package or app, including the apps among the examples. */
function folderOf(file) {
  const [top, second, third] = file.split("/");
  if (top === "packages") return `${top}/${second}`;
  const isFolder = third !== undefined && second !== "test";
  return isFolder && (top === "apps" || top === "examples") ? `${top}/${second}` : top;
}

function packageOf(specifier) {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const findings = findArrowViolations(fileURLToPath(new URL("..", import.meta.url)));
  for (const { file, line, rule } of findings) console.error(`${file}:${line} ${rule}`);
  if (findings.length > 0) process.exit(1);
}
