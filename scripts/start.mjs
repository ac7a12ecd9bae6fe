import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { appProjects, build } from "./build.mjs";
import { buildConsole } from "./build-console.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

ensureInstalled();

// The library beside the command: what `andon init` makes uses it from here.
if (!build(["packages/cli", "packages/andon", ...appProjects()])) process.exit(1);
if (!buildConsole()) process.exit(1);

// File calls share a pool of threads, 4 unless told otherwise, and Node has filled it before the server's first line runs. A
// NAS that hangs may hold one for each of the 8 operations at work, so there are as many more for everybody else.
const child = spawn(process.execPath, ["packages/server/dist/main.js", ...process.argv.slice(2)], {
  cwd: root,
  env: { UV_THREADPOOL_SIZE: "16", ...process.env },
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("exit", (code, signal) => {
  process.exit(signal ? 128 + constants.signals[signal] : code);
});
