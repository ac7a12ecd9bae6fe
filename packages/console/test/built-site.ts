import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { consoleFolder } from "../src/folder.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const lock = join(root, "packages/console/dist/.building");
const LONGEST_BUILD_MS = 60_000;

/** Without this a build would inherit the tests' mode, and with it React's development build. */
const PRODUCTION = { NODE_ENV: "production" };

/** Builds the console from the current sources and returns its folder. A lock serializes the builds of parallel test files. */
export async function builtSite(): Promise<string> {
  while (!takeLock()) await wait(100);
  try {
    const env = { ...process.env, ...PRODUCTION };
    execFileSync(process.execPath, ["scripts/build-console.mjs"], { cwd: root, env, stdio: "inherit" });
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
  return fileURLToPath(consoleFolder);
}

/** A console with the rooms of these packages, in a separate folder. */
export function builtSiteWith(packages: readonly string[]): { folder: URL; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "andon-site-"));
  const env = { ...process.env, ...PRODUCTION, ANDON_CONSOLE_APPS: packages.join(",") };
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const args = [vite, "build", "--logLevel", "warn", "--outDir", folder, "--emptyOutDir"];
  execFileSync(process.execPath, args, { cwd: join(root, "packages/console"), env, stdio: "inherit" });
  return {
    folder: pathToFileURL(`${folder}/`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
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
