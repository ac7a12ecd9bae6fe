import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { runsAsRoot } from "./postgres-binaries.ts";

/** Names a browser that the tests are to use. */
const BROWSER_VARIABLE = "ANDON_TEST_BROWSER";
const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PACKAGES = ["chromium", "fonts-noto-cjk"];

/**
 * Where Chromium is. Where it is missing and may be installed (root, with apt), it is; else undefined, after one line
 * that says what to install.
 */
export function ensureBrowser(): string | undefined {
  const found = process.env[BROWSER_VARIABLE] ?? findBrowser();
  if (found) return found;
  if (runsAsRoot && isOnPath("apt-get")) {
    console.log(`Chromium is missing: installing ${PACKAGES.join(" and ")} with apt-get.`);
    // Another test file may be installing it at this moment.
    const patience = ["-o", "DPkg::Lock::Timeout=300", "-qq"];
    apt([...patience, "update"]);
    apt([...patience, "install", "-y", ...PACKAGES]);
    const installed = findBrowser();
    if (installed) return installed;
  }
  console.warn(`No browser: install Chromium (Debian: ${PACKAGES.join(" ")}), or set ${BROWSER_VARIABLE}.`);
  return undefined;
}

function apt(args: readonly string[]): void {
  spawnSync("apt-get", args, { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
}

function findBrowser(): string | undefined {
  return PROGRAMS.map(onPath).find((path) => path !== undefined);
}

function isOnPath(program: string): boolean {
  return onPath(program) !== undefined;
}

function onPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
