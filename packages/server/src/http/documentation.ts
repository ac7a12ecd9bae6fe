import { ERROR_CATALOGUE, type ErrorCode, type Route, type RouteTable } from "@andon/contract";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import * as z from "zod";

/** Errors that any route may give, by who may call it. */
const ANY: readonly ErrorCode[] = ["VALIDATION_FAILED", "INTERNAL", "STORE_UNAVAILABLE"];
const GUARDED: readonly ErrorCode[] = ["UNAUTHENTICATED"];

type Json = Record<string, unknown>;

/** OpenAPI 3.1 of these tables. Its paths are made when somebody first reads them: no start waits for them. */
export function openApiOf(tables: readonly RouteTable[]): Json {
  let paths: Record<string, Json> | undefined;
  return {
    openapi: "3.1.0",
    info: { title: "Andon", version: "0.1.0", description: "Jobs that stop where one fails." },
    get paths() {
      paths ??= pathsOf(tables);
      return paths;
    },
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "An API key or a JWT." },
        session: { type: "apiKey", in: "cookie", name: "andon_session" },
      },
      schemas: { Problem: PROBLEM },
    },
    security: [{ token: [] }, { session: [] }],
  };
}

function pathsOf(tables: readonly RouteTable[]): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const table of tables) {
    for (const [group, routes] of Object.entries(table)) {
      for (const [name, route] of Object.entries(routes)) {
        add(paths, route.path, route, `${group}.${name}`, group);
        if (route.shortPath) add(paths, route.shortPath, route, `${group}.${name}.short`, group);
      }
    }
  }
  return paths;
}

const PROBLEM: Json = {
  type: "object",
  description: "RFC 9457, with the code as `error`.",
  required: ["type", "title", "status", "detail", "instance", "statusCode", "error", "message", "traceId"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    instance: { type: "string" },
    statusCode: { type: "integer" },
    error: { type: "string", enum: Object.keys(ERROR_CATALOGUE) },
    message: { type: "string" },
    details: {},
    traceId: { type: "string" },
  },
};

function add(paths: Record<string, Json>, path: string, route: Route, id: string, group: string): void {
  const url = path.replace(/:(\w+)/g, "{$1}").replace(/\/\*$/, "/{path}");
  const named = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const operation: Json = {
    operationId: id,
    tags: [group],
    summary: route.summary,
    description: accessNote(route),
    parameters: [...pathParameters(route, named), ...queryParameters(route)],
    responses: responsesOf(route),
  };
  if (route.body) {
    operation.requestBody = {
      required: !route.body.safeParse(undefined).success,
      content: { "application/json": { schema: schemaOf(route.body, "input") } },
    };
  }
  if (route.access === "public") operation.security = [];
  paths[url] = { ...paths[url], [route.method.toLowerCase()]: operation };
}

function accessNote({ access, reach }: Route): string {
  if (access === "public") return "Needs no token.";
  const permission = access === "signed-in" ? "Needs a token." : `Needs the permission \`${access}\`.`;
  return reach === "whole" ? `${permission} A key with a tenant is refused.` : permission;
}

function pathParameters(route: Route, names: readonly string[]): Json[] {
  const { properties } = schemaOf(route.params, "input") as { properties?: Record<string, Json> };
  return names.map((name) => ({
    name,
    in: "path",
    required: true,
    schema: properties?.[name] ?? { type: "string" },
  }));
}

function queryParameters(route: Route): Json[] {
  const { properties = {}, required = [] } = schemaOf(route.query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function responsesOf(route: Route): Json {
  const codes = [
    ...ANY,
    ...(route.access === "public" ? [] : GUARDED),
    ...permissionErrors(route),
    ...(route.errors ?? []),
  ];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERROR_CATALOGUE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const problems = [...byStatus].map(([status, given]) => [
    String(status),
    {
      description: given.join(", "),
      content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
    },
  ]);
  const media = route.media ?? "application/json";
  const schema = route.media ? { type: "string" } : schemaOf(route.answer, "output");
  const accepted = route.accepted && {
    202: {
      description:
        "It takes longer than two seconds and goes on by itself: see `GET /admin/operations/{id}`.",
      content: { "application/json": { schema: schemaOf(route.accepted, "output") } },
    },
  };
  return {
    [String(route.status ?? 200)]: { description: route.summary, content: { [media]: { schema } } },
    ...accepted,
    ...Object.fromEntries(problems),
  };
}

function permissionErrors({ access, reach }: Route): ErrorCode[] {
  const needsPermission = access !== "public" && access !== "signed-in";
  return [
    ...(needsPermission ? (["FORBIDDEN"] as const) : []),
    ...(reach === "whole" ? (["SCOPE_TOO_NARROW"] as const) : []),
  ];
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
}

/** Everything that the page loads lies here, and nothing is asked of others. It styles parts of itself in its markup. */
const PAGE_POLICY = [
  "default-src 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "object-src 'none'",
  "style-src 'self' 'unsafe-inline'",
].join("; ");

/** The page that shows it. Its routes are guarded like any other, by the row `/docs/*` of the table. */
export async function mountDocumentation(app: FastifyInstance, openApi: Json): Promise<void> {
  await app.register(swagger, { mode: "static", specification: { document: openApi as never } });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: true,
    transformStaticCSP: () => PAGE_POLICY,
    theme: { title: "Andon API", css: [{ filename: "andon.css", content: ".topbar { display: none; }" }] },
    uiConfig: { docExpansion: "list", persistAuthorization: false, validatorUrl: null },
  });
}
