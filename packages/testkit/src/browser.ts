import { spawnSync } from "node:child_process";
import { installPackages, onPath } from "./install-packages.ts";

/** Names a browser that the tests are to use. */
const BROWSER_VARIABLE = "ANDON_TEST_BROWSER";
/** Chromium without its own windows: the same pages take a third less of the processor. */
const SHELL = "chromium-headless-shell";
const PROGRAMS = [SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FONTS = "fonts-noto-cjk";
const PACKAGES = ["chromium", FONTS];

/**
 * Where Chromium is. Where it is missing and may be installed (root, with apt), it is; else undefined, after one line
 * that says what to install.
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

/** Beside a Chromium that is there it is installed in the same version, or not at all: nothing else of the machine changes. */
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
