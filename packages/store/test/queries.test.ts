import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderedFiles } from "../src/queries.ts";

/**
 * The SQL of every verb is committed as sent, so that it can be read and EXPLAINed. `ANDON_RENDER=1` writes the files
 * again.
 */
test("packages/store/queries is up to date with the statements", () => {
  const folder = new URL("../queries/", import.meta.url);
  const rendered = renderedFiles();
  if (process.env.ANDON_RENDER) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of rendered) writeFileSync(new URL(file, folder), text);
  }
  expect(readdirSync(folder).sort()).toEqual([...rendered.keys()].sort());
  for (const [file, text] of rendered)
    expect(readFileSync(new URL(file, folder), "utf8"), `${file} is stale`).toBe(text);
});
