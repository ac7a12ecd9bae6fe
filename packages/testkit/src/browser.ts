import { installPackages, onPath } from "./install-packages.ts";

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
  installPackages("Chromium", PACKAGES);
  const installed = findBrowser();
  if (installed) return installed;
  console.warn(`No browser: install Chromium (Debian: ${PACKAGES.join(" ")}), or set ${BROWSER_VARIABLE}.`);
  return undefined;
}

function findBrowser(): string | undefined {
  return PROGRAMS.map(onPath).find((path) => path !== undefined);
}
