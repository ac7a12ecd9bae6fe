import { spawn, spawnSync } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { buildConsole } from "./build-console.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

ensureInstalled();

// The library beside the command: what `andon init` makes uses it from here.
const built = ["packages/cli", "packages/andon"];
const build = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-b", ...built], {
  cwd: root,
  stdio: "inherit",
});
if (build.status !== 0) process.exit(build.status ?? 1);
if (!buildConsole()) process.exit(1);

const child = spawn(process.execPath, ["packages/server/dist/main.js", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("exit", (code, signal) => {
  process.exit(signal ? 128 + constants.signals[signal] : code);
});
