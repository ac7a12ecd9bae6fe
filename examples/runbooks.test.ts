/**
 * Checks that everything the docs tell people to type exists: commands in the reference of `andon`, schedules in the app that
 * creates them, and the routes of the runbooks in the tables of routes.
 */
import { readdirSync, readFileSync } from "node:fs";
import { ROUTES, type Route, type RouteTable } from "@andon/contract";
import { expect, test } from "vitest";
import addressBook from "./address-book/src/cli/index.ts";
import { ROUTES_OF_APPS } from "./reference/installed.ts";
import { readPage } from "./reference/pages.ts";

const folder = (language: string) => new URL(`../docs/${language}/runbooks/`, import.meta.url);
const pages = readdirSync(folder("en"));

/** Every `andon …` command that a page shows, in shell blocks and in sentences. */
function callsOf(page: string): string[] {
  const text = readFileSync(new URL(`../${page}`, import.meta.url), "utf8");
  const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, block]) => block as string);
  const inline = [...text.replace(/^ *```[\s\S]*?^ *```$/gm, "").matchAll(/`([^`\n]+)`/g)].map(
    ([, code]) => code,
  );
  const lines = blocks.flatMap((block) => block.split("\n")).map((line) => line.replace(/(^| +)# .*$/, ""));
  return [...lines, ...inline]
    .map((line) => `${line}`.replace(/"[^"]*"/g, '"…"'))
    .flatMap((line) => [...line.matchAll(/(?<![\w./-])andon (?=[a-z])[^&|]*/g)].map(([call]) => call.trim()));
}

const docs = readdirSync(new URL("../docs/", import.meta.url), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);

/** Shell lines without what may differ between languages: reasons and comments. */
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

/**
 * Options by command, as the reference shows them: `andon keys create` → `--permissions`, … The sample app of the guide is not
 * in the reference: its commands are known by its own table.
 */
function knownCommands(): Map<string, string> {
  const sections = readPage("en", "cli").split(/^### /m).slice(1);
  const ofReference = sections.flatMap((section) => {
    const group = /^(andon [a-z]+) \[list\]/m.exec(section);
    const names = [section.split("\n")[0] as string, ...(group ? [group[1] as string] : [])];
    return names.map((name) => [name, section] as const);
  });
  const ofSample = addressBook.commands.map(({ name, options }) => {
    const shown = Object.keys(options).map((option) => `\`--${option}`);
    return [`andon ${name}`, shown.join(" ")] as const;
  });
  return new Map([...ofReference, ...ofSample]);
}

/** A path with a placeholder for each name, so that `/files/<fileId>` and `/files/:id` are equal. */
const shapeOf = (path: string) => path.replace(/\/(:\w+|<\w+>|\d+|latest)(?=\/|$)/g, "/_");

function knownRoutes(): Set<string> {
  const routes = [ROUTES, ...Object.values(ROUTES_OF_APPS)]
    .flatMap((table: RouteTable) => Object.values(table))
    .flatMap((group) => Object.values(group) as Route[]);
  const paths = routes.flatMap(({ method, path, belowAlias }) => [
    `${method} ${shapeOf(path)}`,
    ...(belowAlias === undefined ? [] : [`${method} ${shapeOf(`/admin/queue${belowAlias}`)}`]),
    `${method} ${shapeOf(path.replace(":queue", "nas-sync"))}`,
  ]);
  return new Set(paths);
}

test.for(pages)("%s shows the same commands in both languages", (page) => {
  const named = (line: string) => line.replace(/<[^>]+>/g, "<…>");
  expect(linesOf("ko", page).map(named)).toEqual(linesOf("en", page).map(named));
});

test("every command that the docs show is in the reference, with its options", () => {
  const commands = knownCommands();
  const calls = docs.flatMap(callsOf);
  const wrong = calls.filter((call) => {
    const name = [...commands.keys()]
      .filter((known) => `${call} `.startsWith(`${known} `))
      .sort()
      .at(-1);
    const section = name === undefined ? undefined : commands.get(name);
    return (
      section === undefined ||
      (call.match(/--[a-z-]+/g) ?? []).some((option) => !section.includes(`\`${option}`))
    );
  });
  expect(calls.length).toBeGreaterThan(200);
  expect(wrong).toEqual([]);
});

test("the vault creates every schedule that a runbook names", () => {
  const source = readFileSync(new URL("../apps/vault/src/housekeeping.ts", import.meta.url), "utf8");
  const known = new Set([...source.matchAll(/name: "(vault-[a-z-]+)", cron/g)].map(([, name]) => name));
  const named = docs
    .filter((page) => page.includes("/runbooks/"))
    .flatMap(callsOf)
    .flatMap((call) => /^andon schedules (?:de)?activate ([\w-]+)/.exec(call)?.[1] ?? []);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("every request in a runbook has a route", () => {
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
