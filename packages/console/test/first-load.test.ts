import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { builtSite } from "./built-site.ts";

const MOST_BYTES = 250_000;

let site: string;
beforeAll(async () => {
  site = await builtSite();
}, 120_000);

const files = () => readdirSync(join(site, "assets")).map((name) => join(site, "assets", name));

test("everything that the console can load is smaller than 250 kB, compressed", () => {
  const sizes = files().map((file) => gzipSync(readFileSync(file)).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
});

test("no schema and no catalogue of errors is in it", () => {
  const all = files()
    .filter((file) => file.endsWith(".js"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  expect(all).not.toContain("ZodError");
  expect(all).not.toContain("The payload cannot be stored");
});

test("the page loads nothing from elsewhere and runs nothing inline", () => {
  const page = readFileSync(join(site, "index.html"), "utf8");
  expect(page).not.toMatch(/https?:\/\//);
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(page).not.toMatch(/<style|\sstyle=/);
});
