import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "packages/console");
const built = join(folder, "dist/site/index.html");
/** The sources of every console; apps add their contracts and rooms. */
const SOURCES = [
  "packages/console/src",
  "packages/console/build",
  "packages/console/index.html",
  "packages/console/vite.config.ts",
  "packages/client/src",
  "packages/contract/src",
  "apps/installed.ts",
  "package-lock.json",
  "docs/en/runbooks",
  "docs/ko/runbooks",
];
const OF_APPS = ["src/console", "src/contract"];

/** Builds the console if it is missing or older than its sources. */
export function buildConsole() {
  if (isFresh()) return true;
  const vite = join(root, "node_modules/vite/bin/vite.js");
  return (
    spawnSync(process.execPath, [vite, "build", "--logLevel", "warn"], { cwd: folder, stdio: "inherit" })
      .status === 0
  );
}

function isFresh() {
  if (!existsSync(built)) return false;
  const made = statSync(built).mtimeMs;
  return [...SOURCES.filter(isThere), ...sourcesOfApps()].every(
    (source) => newestIn(join(root, source)) <= made,
  );
}

function sourcesOfApps() {
  return readdirSync(join(root, "apps"))
    .flatMap((app) => OF_APPS.map((folder) => `apps/${app}/${folder}`))
    .filter(isThere);
}

/** Some sources may be missing: a container image has no docs. */
function isThere(source) {
  return existsSync(join(root, source));
}

function newestIn(path) {
  const facts = statSync(path);
  if (!facts.isDirectory()) return facts.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(buildConsole() ? 0 : 1);
