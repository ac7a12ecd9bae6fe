import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  PERMISSIONS,
  type Permission,
  PLUGIN_ROUTES,
  ROUTES,
  type Route,
  VAULT_ROUTES,
} from "@andon/contract";
import { vaultApp } from "@andon/vault";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestServer } from "./harness.ts";

/** Made from the table itself: a route that is added is tried here without anybody writing a test for it. */
const ALL: [string, Route, string][] = [ROUTES, PLUGIN_ROUTES, VAULT_ROUTES]
  .flatMap((table) => Object.entries(table))
  .flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, route]) => [group, name, route as Route] as const),
  )
  .flatMap(([group, name, route]) =>
    [route.path, route.shortPath]
      .filter((path) => path !== undefined)
      .map((path): [string, Route, string] => [`${group}.${name} ${route.method} ${path}`, route, path]),
  );

const guarded = ALL.filter(([, route]) => route.access !== "public");
const withPermission = guarded.filter(([, route]) => route.access !== "signed-in");
const whole = guarded.filter(([, route]) => route.reach === "whole");

/** A path with something in every place that a parameter has. */
const filled = (path: string) =>
  path
    .replace(/:queue/, "nas-sync")
    .replace(/:\w+/g, "12345")
    .replace("/*", "/");

let server: TestServer;
const keys = new Map<string, string>();

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "andon-matrix-"));
  const vault = vaultApp({ cache: `file:${join(folder, "cache")}`, nas: `file:${join(folder, "nas")}` });
  server = await TestServer.start("sqlite", { apps: [vault as never] });
  for (const permission of PERMISSIONS) {
    const others = PERMISSIONS.filter((other) => other !== permission && other !== "admin");
    keys.set(`without ${permission}`, await server.key([...others] as Permission[]));
  }
  keys.set("tenant", await server.key(["admin"], { tenantId: "acme" }));
});
afterAll(() => server?.close());

const ask = (route: Route, path: string, token: string | null) =>
  server.ask(route.method, filled(path), { token, headers: { origin: server.url } });

describe("every route", () => {
  test.each(guarded)("%s is refused without a token", async (_, route, path) => {
    const { status, body } = await ask(route, path, null);
    expect([status, body.error]).toEqual([401, "UNAUTHENTICATED"]);
  });

  test.each(guarded)("%s is refused with a wrong token", async (_, route, path) => {
    const { status, body } = await ask(route, path, "andon_wrong");
    expect([status, body.error]).toEqual([401, "UNAUTHENTICATED"]);
  });

  test.each(withPermission)("%s is refused without its permission", async (_, route, path) => {
    const { status, body } = await ask(route, path, keys.get(`without ${route.access}`) as string);
    expect([status, body.error]).toEqual([403, "FORBIDDEN"]);
    expect(body.details).toEqual({ permission: route.access });
  });

  test.each(whole)("%s is refused to a key with a tenant", async (_, route, path) => {
    const { status, body } = await ask(route, path, keys.get("tenant") as string);
    expect([status, body.error]).toEqual([403, "SCOPE_TOO_NARROW"]);
  });

  test.each(guarded.filter(([, , path]) => path.includes(":id") || path.includes(":jobId")))(
    "%s does not tell a tenant of things that are not theirs",
    async (_, route, path) => {
      const token = keys.get("tenant") as string;
      const query = route.query && !route.query.safeParse({}).success ? "?reason=x" : "";
      const { status } = await server.ask(route.method, filled(path) + query, { token, body: bodyOf(route) });
      expect(route.reach === "whole" ? 403 : 404).toBe(status);
    },
  );

  test("has no name in two of path, query and body", () => {
    for (const [id, route] of ALL) {
      const names = [route.params, route.query, route.body].flatMap((schema) =>
        schema && "shape" in schema ? Object.keys(schema.shape as object) : [],
      );
      expect([id, new Set(names).size]).toEqual([id, names.length]);
    }
  });

  test("that stands in no table cannot be mounted", async () => {
    const { default: Fastify } = await import("fastify");
    const { refuseOtherRoutes } = await import("../src/http/routes-of-the-table.ts");
    const app = Fastify();
    refuseOtherRoutes(app, [ROUTES]);
    expect(() => app.get("/backdoor", async () => "open")).toThrow(/stands in no table/);
    expect(() => app.post("/healthz", async () => "open")).toThrow(/stands in no table/);
    await app.close();
  });
});

/** A body that fits, so that what is refused is the object and not the request. */
const BODIES = [undefined, {}, { reason: "x" }, { newName: "x" }, { targetFolderId: "root" }];

function bodyOf(route: Route): unknown {
  return BODIES.find((body) => route.body?.safeParse(body).success);
}
