import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** An app's own project, and the project of its rooms, which run in a browser. */
const PROJECTS = ["tsconfig.json", "tsconfig.console.json"];

/** The projects of all apps, found by folder so that no app is named here. */
export function appProjects() {
  return ["apps", "examples"]
    .flatMap((parent) => foldersIn(parent))
    .flatMap((folder) => PROJECTS.map((project) => `${folder}/${project}`))
    .filter((project) => existsSync(join(root, project)));
}

function foldersIn(parent) {
  return readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${parent}/${name}`);
}

/** Builds these projects, by default everything: the packages, the apps and the types of the tests. */
export function build(projects = [...appProjects(), "."]) {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [tsc, "-b", ...projects], { cwd: root, stdio: "inherit" }).status === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2);
  process.exit(build(named.length > 0 ? named : undefined) ? 0 : 1);
}
