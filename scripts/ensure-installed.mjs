import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Installs the packages of package-lock.json unless node_modules already holds them. */
export function ensureInstalled() {
  const problem = whatDiffers();
  if (!problem) return;
  console.log(`installing: ${problem}`);
  const { status } = spawnSync("npm", ["ci"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error("npm ci failed");
    process.exit(status ?? 1);
  }
}

/** npm records what it installed in a lockfile inside node_modules; the two are compared package by package. */
function whatDiffers() {
  const wanted = packagesOf(join(root, "package-lock.json"));
  let installed;
  try {
    installed = packagesOf(join(root, "node_modules", ".package-lock.json"));
  } catch {
    return "nothing is installed yet";
  }
  for (const [path, { version, integrity, optional }] of wanted) {
    const found = installed.get(path);
    // An optional package for another platform is only in package-lock.json.
    if (!found && optional) continue;
    if (found?.version !== version || found?.integrity !== integrity)
      return `${path} is not as package-lock.json says`;
  }
  for (const path of installed.keys()) {
    if (!wanted.has(path)) return `${path} is not in package-lock.json`;
  }
  return undefined;
}

function packagesOf(file) {
  const { packages } = JSON.parse(readFileSync(file, "utf8"));
  return new Map(Object.entries(packages).filter(([path]) => path.includes("node_modules/")));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureInstalled();
