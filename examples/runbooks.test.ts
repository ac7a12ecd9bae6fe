/** What the runbooks tell people to type at night exists: the commands in the reference of `andon`, the routes in the tables. */
import { readdirSync, readFileSync } from "node:fs";
import { ROUTES, type Route, type RouteTable, VAULT_ROUTES } from "@andon/contract";
import { expect, test } from "vitest";
import { readPage } from "./reference/pages.ts";

const folder = (language: string) => new URL(`../docs/${language}/runbooks/`, import.meta.url);
const pages = readdirSync(folder("en"));

/** Lines of shell, without what people may write differently: reasons and comments. */
function linesOf(language: string, page: string): string[] {
  const text = readFileSync(new URL(page, folder(language)), "utf8");
  const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, block]) => block as string);
  return blocks
    .flatMap((block) => block.split("\n"))
    .map((line) =>
      line
        .replace(/(^| +)# .*$/, "")
        .replace(/("reason": |--reason )"[^"]*"/g, '$1"…"')
        .trim(),
    )
    .filter((line) => line !== "");
}

/** Options by command, as the reference shows them: `andon keys create` → `--permissions`, … */
function knownCommands(): Map<string, string> {
  const sections = readPage("en", "cli").split(/^### /m).slice(1);
  return new Map(sections.map((section) => [section.split("\n")[0] as string, section]));
}

/** A path with its names left open, so that `/files/<fileId>` and `/files/:id` are the same. */
const shapeOf = (path: string) => path.replace(/\/(:\w+|<\w+>|\d+|latest)(?=\/|$)/g, "/_");

function knownRoutes(): Set<string> {
  const routes = [ROUTES, VAULT_ROUTES]
    .flatMap((table: RouteTable) => Object.values(table))
    .flatMap((group) => Object.values(group) as Route[]);
  const paths = routes.flatMap(({ method, path, shortPath }) => [
    `${method} ${shapeOf(path)}`,
    `${method} ${shapeOf(shortPath ?? path)}`,
    `${method} ${shapeOf(path.replace(":queue", "nas-sync"))}`,
  ]);
  return new Set(paths);
}

test.for(pages)("%s shows the same commands in both languages", (page) => {
  const named = (line: string) => line.replace(/<[^>]+>/g, "<…>");
  expect(linesOf("ko", page).map(named)).toEqual(linesOf("en", page).map(named));
});

test("every command of the runbooks is in the reference, with its options", () => {
  const commands = knownCommands();
  const calls = pages.flatMap((page) =>
    linesOf("en", page).flatMap((line) => [...line.matchAll(/\bandon [a-z][^&|]*/g)].map(([call]) => call)),
  );
  const wrong = calls.filter((call) => {
    const name = [...commands.keys()]
      .filter((known) => `${call} `.startsWith(`${known} `))
      .sort()
      .at(-1);
    const section = name === undefined ? undefined : commands.get(name);
    return !section || (call.match(/--[a-z-]+/g) ?? []).some((option) => !section.includes(`\`${option}`));
  });
  expect(calls.length).toBeGreaterThan(30);
  expect(wrong).toEqual([]);
});

test("every request of the runbooks is in the tables of routes", () => {
  const routes = knownRoutes();
  const requests = pages.flatMap((page) =>
    linesOf("en", page).flatMap((line) => {
      const path = /\$ANDON_URL(\/[^\s"?]*)/.exec(line)?.[1];
      return path ? [`${/-X (\w+)/.exec(line)?.[1] ?? "GET"} ${shapeOf(path)}`] : [];
    }),
  );
  expect(requests.length).toBeGreaterThan(15);
  expect(requests.filter((request) => !routes.has(request))).toEqual([]);
});
