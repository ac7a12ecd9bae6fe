// Entry of `npm run proof`: our own packages are proved from source, whatever was built last.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./main.ts", import.meta.url));
const flags = ["--conditions=source", "--disable-warning=ExperimentalWarning", "--import", "tsx"];
const main = spawn(process.execPath, [...flags, program, ...process.argv.slice(2)], { stdio: "inherit" });
// Ctrl-C reaches the whole group; main.ts stops its servers and its exit code is ours.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => main.kill(signal));
main.once("exit", (code) => process.exit(code ?? 1));
