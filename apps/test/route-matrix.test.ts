import { filledPath, PLUGIN_ROUTES, pathParameters, ROUTES, type Route } from "@andon/contract";
import { pathsOfRoute } from "@andon/server/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ALIASES, APP_ROUTES, PERMISSIONS, STORES, startWithInstalled, type TestServer } from "./harness.ts";
import { makeOrganizationObjects, type OrganizationObjects } from "./organization-objects.ts";

/** Made from the table itself: a route that is added is tried here without anybody writing a test for it. */
const ALL: [string, Route, string][] = [ROUTES, PLUGIN_ROUTES, ...APP_ROUTES]
  .flatMap((table) => Object.entries(table))
  .flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, route]) => [group, name, route as Route] as const),
  )
  .flatMap(([group, name, route]) =>
    pathsOfRoute(route, ALIASES).map(({ path }): [string, Route, string] => [
      `${group}.${name} ${route.method} ${path}`,
      route,
      path,
    ]),
  );

const guarded = ALL.filter(([, route]) => route.access !== "public");
const withPermission = guarded.filter(([, route]) => route.access !== "signed-in");
const whole = guarded.filter(([, route]) => route.reach === "whole");

/** A path with something in every place that a parameter has. */
const filled = (path: string) =>
  filledPath(path, (name) => (name === "queue" ? "nas-sync" : "12345")).replace("/*", "/");

let server: TestServer;
const keys = new Map<string, string>();

beforeAll(async () => {
  server = await startWithInstalled("sqlite");
  for (const permission of PERMISSIONS) {
    const others = PERMISSIONS.filter((other) => other !== permission && other !== "admin");
    keys.set(`without ${permission}`, await server.key([...others]));
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
});

/** Routes of one thing: whoever has another organisation's key hears nothing of it. */
const ofOneThing = guarded.filter(
  ([, route, path]) =>
    route.reach === "own" && pathParameters(path).some((name) => name !== "queue") && !path.includes(":name"),
);
/** What lists show of the tenant's things, and what they must not show to another organisation. */
const LISTS: readonly (readonly [path: string, count: (body: never) => number])[] = [
  ["/admin/jobs", total],
  ["/admin/jobs?state=failed&queue=nas-sync", total],
  ["/admin/queues/nas-sync/failed", total],
  ["/admin/queues/nas-sync/fingerprints", total],
  ["/admin/operations", total],
  ["/admin/audit?actor=key%3Atest", total],
  ["/files", total],
  ["/files?text=a", total],
  ["/trash", total],
  ["/channels", total],
  ["/bulk-jobs", total],
  ["/tasks", total],
  ["/tasks?tab=scheduled", total],
  ["/tasks/counts", ({ scheduled }: { scheduled: number }) => scheduled],
  ["/pipelines/executions", total],
  ["/pipelines/schedules", total],
  ["/dlq", total],
  ["/dlq/redrives", total],
  ["/folders/root", ({ children }: { children: { total: number } }) => children.total],
  ["/admin/queues/nas-sync", ({ failed }: { failed: number }) => failed],
];

function total(body: { total: number }): number {
  return body.total;
}

describe.each(STORES)("things of an organisation on %s", (store) => {
  let organizations: TestServer;
  let made: OrganizationObjects;
  beforeAll(async () => {
    organizations = await startWithInstalled(store);
    made = await makeOrganizationObjects(organizations);
  });
  afterAll(() => organizations?.close());

  const askOfOwn = (route: Route, path: string, token: string) => {
    const id = made.ids.find(([begins]) => begins.test(path))?.[1];
    expect(id, path).toBeDefined();
    const named: Record<string, string> = { queue: "nas-sync", number: "1" };
    const filled = filledPath(path, (name) => named[name] ?? (id as string));
    const query = route.query && !route.query.safeParse({}).success ? "?reason=x" : "";
    return organizations.ask(route.method, filled + query, { token, body: bodyOf(route) });
  };

  test.each(ofOneThing)("%s finds nothing of another organisation", async (_, route, path) => {
    expect((await askOfOwn(route, path, made.other)).status).toBe(404);
  });

  test.each(ofOneThing.filter(([, { method }]) => method === "GET"))(
    "%s shows it to its organisation and to its tenant",
    async (_, route, path) => {
      // Nothing holds the file, which is all that these look at; and the task has no film yet.
      const expected = path.includes("/simulate") ? 409 : path.endsWith("/video") ? 404 : 200;
      for (const token of [made.own, made.tenant])
        expect([path, (await askOfOwn(route, path, token)).status]).toEqual([path, expected]);
    },
  );

  test.each(LISTS)("%s lists it for its organisation and tenant alone", async (path, count) => {
    const counted = async (token: string) => {
      const { status, body } = await organizations.ask("GET", path, { token });
      expect([path, status]).toEqual([path, 200]);
      return count(body as never);
    };
    expect(await counted(made.other)).toBe(0);
    expect(await counted(made.own)).toBeGreaterThan(0);
    expect(await counted(made.tenant)).toBeGreaterThan(0);
  });

  test("do not give their names to another organisation, nor take its things in", async () => {
    const ask = (method: string, path: string, body: unknown) =>
      organizations.ask(method, path, { token: made.other, body });
    const taken = await ask("POST", "/folders", { name: "documents" });
    expect([taken.status, taken.body.error]).toEqual([409, "NAME_TAKEN"]);
    const folderId = made.ids.find(([begins]) => begins.test("/folders/"))?.[1];
    const inside = await ask("POST", "/folders", { name: "inner", parentId: folderId });
    expect([inside.status, inside.body.error]).toEqual([404, "FOLDER_NOT_FOUND"]);
    const mine = await ask("POST", "/folders", { name: "mine" });
    const moved = await ask("POST", `/folders/${mine.body.id}/move`, { targetFolderId: folderId });
    expect([moved.status, moved.body.error]).toEqual([404, "FOLDER_NOT_FOUND"]);
  });

  test.each(["hold", "release", "cancel-rest"])("lanes: %s is within the caller's tenant", async (action) => {
    const path = `/admin/queues/nas-sync/lanes/${action}`;
    const ask = (token: string, body: object) =>
      organizations.ask("POST", path, { token, body: { key: "k", reason: "x", ...body } });
    const foreign = await ask(made.tenant, { tenantId: "default" });
    expect([foreign.status, foreign.body.error]).toEqual([403, "PP-403-SCOPE"]);
    const narrow = await ask(made.own, {});
    expect([narrow.status, narrow.body.error]).toEqual([403, "SCOPE_TOO_NARROW"]);
    expect((await ask(made.tenant, {})).status).toBe(200);
  });
});

/** A body that fits, so that what is refused is the object and not the request. */
const BODIES = [
  undefined,
  {},
  { reason: "x" },
  { newName: "x" },
  { targetFolderId: "root" },
  { throttle: { pauseMs: 1 } },
  { urls: ["https://example.com/a.png"] },
];

function bodyOf(route: Route): unknown {
  return BODIES.find((body) => route.body?.safeParse(body).success);
}
