import { filledPath, PLUGIN_ROUTES, pathParameters, ROUTES, type Route } from "@andon/contract";
import { pathsOfRoute } from "@andon/server/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ALIASES, APP_ROUTES, PERMISSIONS, STORES, startWithInstalled, type TestServer } from "./harness.ts";
import { makeOrganizationObjects, type OrganizationObjects } from "./organization-objects.ts";

/** Built from the tables of routes, so that a new route is tested without a new test. */
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

/** A path with a value for every parameter. */
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
    "%s does not reveal to a tenant objects that are not its own",
    async (_, route, path) => {
      const token = keys.get("tenant") as string;
      const query = route.query && !route.query.safeParse({}).success ? "?reason=x" : "";
      const { status } = await server.ask(route.method, filled(path) + query, { token, body: bodyOf(route) });
      expect(route.reach === "whole" ? 403 : 404).toBe(status);
    },
  );

  test("has each name in only one of path, query and body", () => {
    for (const [id, route] of ALL) {
      const names = [route.params, route.query, route.body].flatMap((schema) =>
        schema && "shape" in schema ? Object.keys(schema.shape as object) : [],
      );
      expect([id, new Set(names).size]).toEqual([id, names.length]);
    }
  });
});

/** Routes of one object, which must not be found by a key of another organisation. */
const ofOneThing = guarded.filter(
  ([, route, path]) =>
    route.reach === "own" && pathParameters(path).some((name) => name !== "queue") && !path.includes(":name"),
);
/** Lists that contain objects of the organisation, which another organisation must not see. */
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

/** Lists of objects of the whole site, or without an object of the organisation. */
const OTHER_LISTS = [
  "/admin/keys",
  "/admin/sessions",
  "/admin/alerts",
  "/admin/sync-queue/held",
  "/channels/imports",
  "/notifications",
  "/pushes",
  "/pipelines/executions/counts",
  "/dlq/counts",
  "/metrics",
];

function total(body: { total: number }): number {
  return body.total;
}

describe.each(STORES)("objects of an organisation on %s", (store) => {
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
    "%s shows the object to its organisation and to its tenant",
    async (_, route, path) => {
      // The file is not held, so there is nothing to simulate; and the task has no film yet.
      const expected = path.includes("/simulate") ? 409 : path.endsWith("/video") ? 404 : 200;
      for (const token of [made.own, made.tenant])
        expect([path, (await askOfOwn(route, path, token)).status]).toEqual([path, expected]);
    },
  );

  test.each(LISTS)("%s lists them only for their organisation and tenant", async (path, count) => {
    const counted = async (token: string) => {
      const { status, body } = await organizations.ask("GET", path, { token });
      expect([path, status]).toEqual([path, 200]);
      return count(body as never);
    };
    expect(await counted(made.other)).toBe(0);
    expect(await counted(made.own)).toBeGreaterThan(0);
    expect(await counted(made.tenant)).toBeGreaterThan(0);
  });

  test.runIf(store === "sqlite")("pages of lists are read outside the event loop", async () => {
    const paths = [...LISTS.map(([path]) => path), ...OTHER_LISTS];
    const besides = vi.spyOn(organizations.site.andon.store, "query");
    for (const path of paths) {
      const { status } = await organizations.ask("GET", path);
      expect([path, status]).toEqual([path, 200]);
      const read = besides.mock.calls
        .map(([sql]) => sql)
        .filter((sql) => /\boffset\b|\bcount\(\*\)/.test(sql));
      expect([path, read]).toEqual([path, []]);
    }
    besides.mockRestore();
  });

  test("cannot be reached by another organisation through a body, a query or a dead letter", async () => {
    const idOf = (path: string) => made.ids.find(([begins]) => begins.test(path))?.[1] as string;
    const asked = async (token: string, method: string, path: string, body?: unknown) => {
      const { status, body: answer } = await organizations.ask(method, path, { token, body });
      return [path, status, answer.error ?? answer.total];
    };
    const whose = { tenantId: "acme", organizationId: "north" };
    const pipeline = { pipelineCode: "default", cron: "0 0 1 1 *", timeZone: "UTC" };
    const event = { type: "s3.object.created", bucket: "bkt", key: "b.txt", size: 5, mime: "text/plain" };
    const ids = { queue: "nas-sync", action: "retry", ids: [idOf("/admin/jobs/")] };
    const refusals = [
      ["POST", "/admin/plans", ids, 404, "JOB_NOT_FOUND"],
      ["POST", "/admin/keys", { name: "x", permissions: ["queue.read"], ...whose }, 403, "PP-403-SCOPE"],
      ["POST", "/admin/keys", { name: "x", permissions: ["queue.read"], tenantId: "b" }, 403, "PP-403-SCOPE"],
      ["POST", "/pipelines/schedules", { ...pipeline, ...whose }, 403, "PP-403-SCOPE"],
      ["POST", "/ingest/events", { ...event, ...whose }, 403, "PP-403-SCOPE"],
      ["POST", "/dlq/redrive", { ids: [idOf("/dlq/x")] }, 409, "DLQ_NOTHING_TO_REDRIVE"],
      ["POST", "/pipelines/executions:retry", { ids: [idOf("/pipelines/executions/")] }, 404, "PP-404-EXEC"],
      ["GET", "/pipelines/executions?orgId=north", undefined, 403, "PP-403-SCOPE"],
      ["GET", "/admin/jobs?organizationId=north", undefined, 403, "PP-403-SCOPE"],
      ["GET", `/notifications?jobId=${idOf("/bulk-jobs/")}`, undefined, 200, 0],
      ["GET", `/pushes?jobId=${idOf("/bulk-jobs/")}`, undefined, 200, 0],
    ] as const;
    const answers = [];
    for (const [method, path, body] of refusals) answers.push(await asked(made.other, method, path, body));
    expect(answers).toEqual(refusals.map(([, path, , ...answer]) => [path, ...answer]));
  });

  test("are hidden in the feed, and in the answer to another caller's Idempotency-Key", async () => {
    const aborter = new AbortController();
    const replayed = async (token: string) => {
      const { body } = await fetch(new URL("/events?lastEventId=0", organizations.url), {
        headers: { authorization: `Bearer ${token}` },
        signal: aborter.signal,
      });
      return (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream());
    };
    const ids = made.ids.map(([, id]) => id);
    const seen = async (token: string, isOver: (text: string) => boolean) => {
      let text = "";
      for await (const piece of (await replayed(token)) as unknown as AsyncIterable<string>) {
        text += piece;
        if (isOver(text)) break;
      }
      return ids.filter((id) => text.includes(id));
    };
    const once = (token: string, name: string) =>
      organizations.ask("POST", "/folders", {
        token,
        body: { name },
        headers: { "idempotency-key": "the same" },
      });
    const [own, other] = [await once(made.own, "of north"), await once(made.other, "of south")];
    expect([own.status, other.status, other.body.name]).toEqual([201, 201, "of south"]);
    const line = organizations.site.queues.get("nas-sync")?.queue;
    const added = await line?.add("no operation", { tenant: "acme", organization: "south" });
    expect(await seen(made.own, (text) => text.includes(ids[0] as string))).toContain(ids[0]);
    expect(await seen(made.other, (text) => text.includes(added?.id as string))).toEqual([]);
    aborter.abort();
  });

  test("keep their names taken for another organisation, and accept none of its objects", async () => {
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

  test.each(["hold", "release", "cancel-rest"])("lanes: %s stays in the caller's tenant", async (action) => {
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

/** Bodies: one of them is valid for each route, so that the object is refused and not the request. */
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
