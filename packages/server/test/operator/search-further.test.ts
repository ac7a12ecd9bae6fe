import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { settingsOf, startServer } from "../../src/index.ts";

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "andon-search-further-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

test("an empty list of jobs says how far the search went, and its cursor continues it", async () => {
  const settings = settingsOf({
    data,
    port: 0,
    adminToken: "a-token-of-twenty-letters",
    log: { level: "silent" },
    queues: { line: {} },
    apps: [],
  });
  const server = await startServer(settings);
  try {
    const queue = server.site.queues.get("line")?.queue;
    const many = Array.from({ length: 10_500 }, (_, n) => n);
    await queue?.addMany(many, (n) => ({ name: n === 0 ? "first" : "later" }));
    const list = async (query: string): Promise<{ cursor?: string; items?: unknown[] }> => {
      const headers = { authorization: "Bearer a-token-of-twenty-letters" };
      return (await fetch(`${server.url}/admin/jobs?name=first${query}`, { headers })).json() as never;
    };
    const nothing = await list("");
    expect(nothing).toMatchObject({ items: [], more: true, searchedTo: expect.any(String) });
    const found = await list(`&cursor=${nothing.cursor}`);
    expect(found.items).toMatchObject([{ name: "first" }]);
    expect(found).not.toHaveProperty("more");
    expect(await list("&cursor=nonsense")).toMatchObject({ statusCode: 400 });
  } finally {
    await server.close();
  }
});
