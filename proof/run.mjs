// Entry point of `npm run proof`. Builds edited sources first, because Node 20 starts no worker thread from the TypeScript of
// a package.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url));
const built = spawnSync(process.execPath, [pathOf("../scripts/build.mjs")], { stdio: "inherit" });
if (built.status !== 0) process.exit(1);

const flags = ["--disable-warning=ExperimentalWarning", "--import", "tsx"];
const main = spawn(process.execPath, [...flags, pathOf("./main.ts"), ...process.argv.slice(2)], {
  stdio: "inherit",
});
// Ctrl-C reaches the whole process group. main.ts stops its servers, and its exit code becomes ours.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => main.kill(signal));
main.once("exit", (code) => process.exit(code ?? 1));
