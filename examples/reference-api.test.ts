/** Compares docs/{en,ko}/reference/api.md with the tables of routes; see reference.test.ts. */
import { PLUGIN_ROUTES, ROUTES, type RouteTable } from "@andon/contract";
import { describe, expect, test } from "vitest";
import { ROUTES_OF_APPS } from "./reference/installed.ts";
import { expectGenerated, foreignTo, LANGUAGES, readPage } from "./reference/pages.ts";
import { renderRoutes, type ShownRoute, sectionsOf } from "./reference/routes.ts";

/** Every group of routes, with the mark of its section of the page. */
const GROUPS = Object.entries({ host: ROUTES, plugins: PLUGIN_ROUTES, ...ROUTES_OF_APPS }).flatMap(
  ([owner, routes]: [string, RouteTable]) =>
    Object.entries(routes).map(([group, named]) => ({
      mark: `${owner}.${group}`,
      routes: Object.values(named) as unknown as ShownRoute[],
    })),
);

describe.each(LANGUAGES)("docs/%s/reference/api.md", (language) => {
  test.each(GROUPS)("describes the routes of $mark", ({ mark, routes }) => {
    expectGenerated(language, "api", mark, (now) => renderRoutes(routes, language, now));
  });

  test("describes no route that does not exist", () => {
    const titles = [...sectionsOf(readPage(language, "api")).keys()];
    const known = GROUPS.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`));
    expect(titles.sort()).toEqual(known.sort());
  });
});

test("every member of a request has a description", () => {
  const silent = [...sectionsOf(readPage("en", "api"))].flatMap(([title, { meanings }]) =>
    [...meanings].filter(([, meaning]) => meaning === "").map(([name]) => `${title}: ${name}`),
  );
  expect(silent).toEqual([]);
});

test("the Korean page is in Korean", () => {
  const sections = [...sectionsOf(readPage("ko", "api")).values()];
  const texts = sections.flatMap(({ summary, meanings }) => [summary, ...meanings.values()]);
  expect(foreignTo(texts)).toEqual([]);
});
