import { filledPath, ROUTES, type Route } from "@andon/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { APP_ROUTES, STORES, startWithInstalled, type TestServer } from "./harness.ts";

const RUNS = 25;
/**
 * A stream does not end by itself, and failed logins slow down their client's address: both have tests of their own.
 */
const LEFT_OUT = new Set<Route>([ROUTES.system.events, ROUTES.session.login]);

const routes = [ROUTES, ...APP_ROUTES]
  .flatMap((table) => Object.entries(table))
  .flatMap(([group, table]) =>
    Object.entries(table)
      .filter(([, route]) => !LEFT_OUT.has(route as Route))
      .map(([name, route]) => [`${group}.${name}`, route as Route] as const),
  );

/** Values that are known to break servers. */
const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    " ",
    "\u0000",
    "\ud800",
    "'; drop table andon_jobs; --",
    "%",
    "%00",
    "..",
    "../../etc",
    "NaN",
    "1e400",
  ),
  fc.constantFrom(
    "9".repeat(15),
    "9".repeat(40),
    "-1",
    "0",
    "1.5",
    "true",
    "null",
    "[]",
    "{}",
    "a".repeat(5_000),
  ),
  fc.constantFrom("__proto__", "constructor", "<script>alert(1)</script>", "한글", "🙂", "nas-sync"),
);
const nastyJson = fc.oneof(
  nasty,
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, true, [], {}, 1e308, -0, Number.MAX_SAFE_INTEGER),
);

/** A body with the right names, with right or nasty values, and sometimes with unknown names. */
function bodyFor(route: Route): fc.Arbitrary<unknown> {
  const names = route.body instanceof z.ZodObject ? Object.keys(route.body.shape) : ["reason"];
  const shaped = fc.dictionary(fc.oneof(fc.constantFrom(...names), nasty), nastyJson, { maxKeys: 4 });
  return fc.oneof(shaped, nastyJson, fc.constant(undefined));
}

const pathFor = (route: Route) =>
  fc.array(nasty, { minLength: 4, maxLength: 4 }).map((values) => {
    let next = 0;
    return filledPath(route.path, () => (values[next++] || "x").toWellFormed());
  });

const queryFor = (route: Route) => {
  const names = Object.keys(route.query.shape);
  const name = names.length > 0 ? fc.oneof(fc.constantFrom(...names), nasty) : nasty;
  return fc.dictionary(name, nasty, { maxKeys: 3 });
};

describe.each(STORES)("nonsense on %s", (store) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startWithInstalled(store);
  });
  afterAll(() => server?.close());

  test.each(routes)("never makes %s answer with a 5xx", async (_, route) => {
    await fc.assert(
      fc.asyncProperty(pathFor(route), queryFor(route), bodyFor(route), async (path, query, body) => {
        const search = new URLSearchParams(
          Object.entries(query).map(([k, v]): [string, string] => [k.toWellFormed(), v.toWellFormed()]),
        );
        const asked =
          route.method === "GET" || body === undefined ? {} : { body: JSON.stringify(body) ?? "null" };
        const { status } = await server.ask(route.method, `${path}?${search}`, asked);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: RUNS },
    );
  });
});
