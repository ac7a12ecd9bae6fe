import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtSite } from "./built-site.ts";
import { ConsoleServer } from "./console-server.ts";
import { demoLine } from "./demo-line.ts";
import { browserPath, openBrowser, signIn } from "./operator.ts";

const MOST_BYTES = 250_000;

/** The bytes sent for a file: gzipped, except for fonts, which are already compressed. */
function sentBytes(path: string): number {
  const bytes = readFileSync(path);
  return path.endsWith(".woff2") ? bytes.length : gzipSync(bytes).length;
}

let site: string;
beforeAll(async () => {
  site = await builtSite();
}, 300_000);

test("the browser's scripts contain no schemas and no error catalogue", () => {
  const scripts = readdirSync(join(site, "assets")).filter((name) => name.endsWith(".js"));
  const all = scripts.map((name) => readFileSync(join(site, "assets", name), "utf8")).join("\n");
  expect(all).not.toContain("ZodError");
  expect(all).not.toContain("The payload cannot be stored");
});

test("the page loads nothing from elsewhere and runs nothing inline", () => {
  const page = readFileSync(join(site, "index.html"), "utf8");
  expect(page).not.toMatch(/https?:\/\//);
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(page).not.toMatch(/<style|\sstyle=/);
});

describe.skipIf(!browserPath)("the first page", () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await ConsoleServer.start("sqlite", demoLine().settings);
  }, 60_000);
  afterAll(() => server?.close());

  /** The name and compressed size of every file that the board loads. */
  const loadedIn = async (language: "en" | "ko", chart: RegExp) => {
    const browser = await openBrowser();
    const { page } = await signIn(browser, server, language);
    await page.getByRole("img", { name: chart }).waitFor();
    await page.evaluate("document.fonts.ready.then(() => true)");
    const loaded = (await page.evaluate(
      "performance.getEntriesByType('resource').map(({ name }) => name)",
    )) as string[];
    await browser.close();
    const paths = loaded.map((url) => new URL(url).pathname).filter((path) => path.startsWith("/assets/"));
    return [...new Set(paths)].map((path) => ({ path, bytes: sentBytes(join(site, path)) }));
  };
  const sum = (assets: readonly { bytes: number }[]) => assets.reduce((all, { bytes }) => all + bytes, 0);

  test("the board, its chart and its font take less than 250 kB compressed", async () => {
    const assets = await loadedIn("en", /Throughput/);
    expect(assets.some(({ path }) => path.includes("/latin"))).toBe(true);
    // The data of the demo is Korean, so its letters are loaded too.
    expect(sum(assets.filter(({ path }) => !path.includes("hangul")))).toBeLessThan(MOST_BYTES);
  });

  test("the board in Korean takes less than 250 kB before its chart and the letters of its data", async () => {
    const assets = await loadedIn("ko", /처리량/);
    const later = /chart|canvas-colour|hangul-(?!board)/;
    expect(assets.some(({ path }) => path.includes("hangul-board"))).toBe(true);
    expect(sum(assets.filter(({ path }) => !later.test(path)))).toBeLessThan(MOST_BYTES);
  });
});
