import { pathTemplate, ROUTES, type Route } from "@andon/contract";
import { expect } from "vitest";
import { describeServers } from "./harness.ts";

describeServers("the documentation", (it) => {
  it("describes every route in OpenAPI 3.1", {}, async (server) => {
    const { status, body } = await server.ask("GET", "/openapi.json");
    expect(status).toBe(200);
    expect(body.openapi).toBe("3.1.0");
    for (const route of Object.values(ROUTES).flatMap((group) => Object.values(group)) as Route[]) {
      const path = pathTemplate(route.path);
      const operation = body.paths[path]?.[route.method.toLowerCase()];
      expect(operation?.summary, `${route.method} ${path}`).toBe(route.summary);
      expect(operation.responses[String(route.status ?? 200)]).toBeDefined();
      if (route.access !== "public") expect(operation.responses["401"]).toBeDefined();
    }
    const ids = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((path) => Object.values(path))
      .map((operation) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is rendered for signed-in callers only, also with the console's cookie", {}, async (server) => {
    expect((await server.ask("GET", "/docs", { token: null })).status).toBe(401);
    expect((await server.ask("GET", "/docs/static/swagger-ui.css", { token: null })).status).toBe(401);
    const page = await server.ask("GET", "/docs/");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/text\/html/);
    // Over plain HTTP in a local network, the page must load its parts from this server and nothing from elsewhere.
    expect(page.headers.get("content-security-policy")).not.toMatch(
      /upgrade-insecure-requests|https?:|swagger\.io/,
    );
    const login = await server.ask("POST", "/login", {
      token: null,
      body: { token: server.adminToken },
      headers: { origin: server.url },
    });
    expect(login.status).toBe(200);
    const cookie = (login.headers.get("set-cookie") as string).split(";")[0] as string;
    expect((await server.ask("GET", "/docs/", { token: null, headers: { cookie } })).status).toBe(200);
    expect((await server.ask("GET", "/docs/json", { token: null, headers: { cookie } })).status).toBe(200);
  });
});
