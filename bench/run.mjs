// Entry point of `npm run bench`. The peers need a newer Node than the project. This file runs on any supported Node,
// installs Node 24 and the peers, and starts main.ts.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const NODE_MAJOR = "24";

function npm(args, cwd) {
  const done = spawnSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    stdio: "inherit",
  });
  if (done.status !== 0) {
    console.error(`bench: npm ${args.join(" ")} failed`);
    process.exit(1);
  }
}

/** Outside the workspace: as a dependency, this `node` would precede the machine's own in every npm script. */
function node24() {
  if (process.versions.node.startsWith(`${NODE_MAJOR}.`)) return process.execPath;
  const folder = join(homedir(), ".cache", "andon", `node-${NODE_MAJOR}`);
  const binary = join(folder, "node_modules", ".bin", "node");
  if (!existsSync(binary)) {
    const name = `node-${process.platform}-${process.arch}@${NODE_MAJOR}`;
    console.log(`bench: installing ${name} into ${folder}`);
    npm(["install", "--prefix", folder, name]);
  }
  return binary;
}

function installPeers() {
  const folder = join(HERE, "peers");
  const installed = join(folder, "node_modules", ".package-lock.json");
  const wanted = join(folder, "package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
  console.log("bench: installing the peers");
  npm(["ci"], folder);
}

const binary = node24();
installPeers();
// Our packages are measured as built, which is how users run them.
const flags = ["--disable-warning=ExperimentalWarning"];
const main = spawn(binary, [...flags, join(HERE, "main.ts"), ...process.argv.slice(2)], { stdio: "inherit" });
// Ctrl-C reaches the whole process group. main.ts stops its servers, and its exit code becomes ours.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => main.kill(signal));
main.once("exit", (code) => process.exit(code ?? 1));
