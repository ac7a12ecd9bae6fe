import { spawnSync } from "node:child_process";
import { installPackages, onPath } from "./install-packages.ts";

/** Path of a browser for the tests. */
const BROWSER_VARIABLE = "ANDON_TEST_BROWSER";
/** Chromium without windows: the same pages take a third less CPU time. */
const SHELL = "chromium-headless-shell";
const PROGRAMS = [SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FONTS = "fonts-noto-cjk";
const PACKAGES = ["chromium", FONTS];

/**
 * The path of Chromium. Installs it if it is missing and installing is possible (root, with apt); otherwise prints one
 * line that says what to install and returns undefined.
 */
export function ensureBrowser(): string | undefined {
  const named = process.env[BROWSER_VARIABLE];
  if (named) return named;
  if (!onPath(SHELL)) installShell();
  const found = findBrowser();
  if (found) return found;
  installPackages("Chromium", PACKAGES);
  const installed = findBrowser();
  if (installed) return installed;
  console.warn(`No browser: install Chromium (Debian: ${PACKAGES.join(" ")}), or set ${BROWSER_VARIABLE}.`);
  return undefined;
}

/**
 * If a Chromium is installed, only the same version of the shell is installed, so that nothing else on the machine
 * changes.
 */
function installShell(): void {
  const isAlone = findBrowser() === undefined;
  const { stdout } = spawnSync("dpkg-query", ["-W", "chromium-common"], { encoding: "utf8" });
  const version = stdout?.split("\t")[1]?.trim();
  if (isAlone) installPackages(SHELL, [SHELL, FONTS]);
  else if (version) installPackages(SHELL, [`${SHELL}=${version}`], "lists as they are");
}

function findBrowser(): string | undefined {
  return PROGRAMS.map(onPath).find((path) => path !== undefined);
}
