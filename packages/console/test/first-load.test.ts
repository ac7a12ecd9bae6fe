import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtSite } from "./built-site.ts";
import { ConsoleServer } from "./console-server.ts";
import { demoLine } from "./demo-line.ts";
import { browserPath, openBrowser, signIn } from "./operator.ts";

const MOST_BYTES = 190_000;

let site: string;
beforeAll(async () => {
  site = await builtSite();
}, 300_000);

test("no schema and no catalogue of errors is in what the browser gets", () => {
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

  test("the board and its chart load less than 190 kB, compressed", async () => {
    const browser = await openBrowser();
    const { page } = await signIn(browser, server, "ko");
    await page.getByRole("img", { name: /처리량/ }).waitFor();
    const loaded = (await page.evaluate(
      "performance.getEntriesByType('resource').map(({ name }) => name)",
    )) as string[];
    await browser.close();
    const assets = new Set(
      loaded.map((url) => new URL(url).pathname).filter((path) => path.startsWith("/assets/")),
    );
    const sizes = [...assets].map((path) => gzipSync(readFileSync(join(site, path))).length);
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  });
});
