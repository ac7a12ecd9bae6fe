import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderedQueries } from "../src/queries.ts";

/** The SQL of every verb is committed as it is sent, so that it can be read and EXPLAINed. `ANDON_RENDER=1` writes it anew. */
test.each(["sqlite", "postgres"] as const)(
  "packages/store/queries/%s shows the statements as they are",
  (dialect) => {
    const folder = new URL(`../queries/${dialect}/`, import.meta.url);
    const rendered = renderedQueries(dialect);
    if (process.env.ANDON_RENDER) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const [name, text] of rendered) writeFileSync(new URL(`${name}.sql`, folder), `${text.trim()};\n`);
    }
    const committed = new Map(
      readdirSync(folder).map((file) => [
        file.replace(/\.sql$/, ""),
        readFileSync(new URL(file, folder), "utf8"),
      ]),
    );
    expect([...committed.keys()].sort()).toEqual([...rendered.keys()]);
    for (const [name, text] of rendered)
      expect(committed.get(name), `${name}.sql is stale`).toBe(`${text.trim()};\n`);
  },
);
