import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { appProjects } from "./build.mjs";
import { shownStep } from "./shown-step.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

const STEPS = [
  [{ en: "Installing packages", ko: "패키지 설치" }, "scripts/ensure-installed.mjs"],
  // The library as well as the command: projects that `andon init` creates use this build.
  [
    { en: "Building the server", ko: "서버 빌드" },
    "scripts/build.mjs",
    "packages/cli",
    "packages/andon",
    ...appProjects(),
  ],
  [{ en: "Building the console", ko: "콘솔 빌드" }, "scripts/build-console.mjs"],
];
for (const [says, ...command] of STEPS) if (!(await shownStep(says, ...command))) process.exit(1);

// File calls share a pool of threads, by default 4. It must be set here, because Node has filled the pool before the server's
// first line runs. A hanging NAS may block one thread for each of the 8 operations in progress, so as many more remain for
// other calls.
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
