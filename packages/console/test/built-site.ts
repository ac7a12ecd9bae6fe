import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { consoleFolder } from "../src/folder.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const lock = join(root, "packages/console/dist/.building");
const LONGEST_BUILD_MS = 60_000;

/** Where the console lies, built from the sources as they are. Test files run side by side: one builds at a time. */
export async function builtSite(): Promise<string> {
  while (!takeLock()) await wait(100);
  try {
    // Tests would give it their own mode, and React's development build with it.
    const env = { ...process.env, NODE_ENV: "production" };
    execFileSync(process.execPath, ["scripts/build-console.mjs"], { cwd: root, env, stdio: "inherit" });
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
  return fileURLToPath(consoleFolder);
}

function takeLock(): boolean {
  mkdirSync(join(lock, ".."), { recursive: true });
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > LONGEST_BUILD_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}
