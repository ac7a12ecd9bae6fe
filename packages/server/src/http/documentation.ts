import {
  type ErrorCatalogue,
  type ErrorCode,
  pathTemplate,
  type Route,
  type RouteTable,
} from "@andon/contract";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { NamedSchemas, schemaOf } from "./named-schemas.ts";
import { requestBodyOf } from "./request-body.ts";
import { pathsOfRoute, type QueueAliases } from "./route-paths.ts";

/** Errors that every route may return, by the route's access. */
const ANY: readonly ErrorCode[] = [
  "VALIDATION_FAILED",
  "TOO_MANY_CONNECTIONS",
  "INTERNAL",
  "STORE_UNAVAILABLE",
];
const GUARDED: readonly ErrorCode[] = ["UNAUTHENTICATED", "TOKENS_SLOWED"];
const WITH_BODY: readonly ErrorCode[] = ["REQUEST_TIMEOUT", "BODIES_IN_FLIGHT"];

type Json = Record<string, unknown>;

/** The input of the document: the route tables and errors of the core and the apps. */
export interface Documented {
  readonly tables: readonly RouteTable[];
  readonly errors: ErrorCatalogue;
  readonly aliases: QueueAliases;
  /** The public address of the server. Default: the address from which the document was loaded. */
  readonly publicUrl?: string | undefined;
}

/** OpenAPI 3.1 of these tables. The paths are made on first access, so that no start waits for them. */
export function openApiOf(documented: Documented): Json {
  let made: { paths: Record<string, Json>; schemas: Json } | undefined;
  const make = () => {
    made ??= pathsOf(documented);
    return made;
  };
  return {
    openapi: "3.1.0",
    info: { title: "Andon", version: "0.1.0", description: "Jobs that stop where one fails." },
    servers: [{ url: documented.publicUrl ?? "/" }],
    get paths() {
      return make().paths;
    },
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "An API key or a JWT." },
        session: { type: "apiKey", in: "cookie", name: "andon_session" },
      },
      get schemas() {
        return { Problem: problemSchema(documented.errors), ...make().schemas };
      },
    },
    security: [{ token: [] }, { session: [] }],
  };
}

function pathsOf({ tables, errors, aliases }: Documented): { paths: Record<string, Json>; schemas: Json } {
  const paths: Record<string, Json> = {};
  const schemas = new NamedSchemas();
  for (const table of tables) {
    for (const [group, routes] of Object.entries(table)) {
      for (const [name, route] of Object.entries(routes)) {
        for (const { path, suffix } of pathsOfRoute(route, aliases))
          add(paths, path, route, { id: `${group}.${name}${suffix}`, name, group, errors, schemas });
      }
    }
  }
  return { paths, schemas: schemas.all };
}

const problemSchema = (errors: ErrorCatalogue): Json => ({
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
    error: { type: "string", enum: Object.keys(errors) },
    message: { type: "string" },
    details: {},
    traceId: { type: "string" },
  },
});

interface Described {
  readonly id: string;
  readonly group: string;
  readonly name: string;
  readonly errors: ErrorCatalogue;
  readonly schemas: NamedSchemas;
}

function add(
  paths: Record<string, Json>,
  path: string,
  route: Route,
  { id, name, group, errors, schemas }: Described,
): void {
  const url = pathTemplate(path).replace(/\/\*$/, "/{path}");
  const named = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const operation: Json = {
    operationId: id,
    tags: [group],
    summary: route.summary,
    description: accessNote(route),
    parameters: [...pathParameters(route, named), ...queryParameters(route), ...headerParameters(route)],
    responses: responsesOf(route, errors, (schema, part) => schemas.name(group, name, part, schema)),
  };
  const body = requestBodyOf(route, (schema, part) => schemas.name(group, name, part, schema));
  if (body) operation.requestBody = body;
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

/** A route that can return IDEMPOTENCY_CONFLICT accepts the header `Idempotency-Key`. */
function headerParameters({ errors = [] }: Route): Json[] {
  if (!errors.includes("IDEMPOTENCY_CONFLICT")) return [];
  return [
    {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description: "What the caller calls this request: sent twice within a day, it is done once.",
      schema: { type: "string", minLength: 1, maxLength: 255 },
    },
  ];
}

function responsesOf(
  route: Route,
  errors: ErrorCatalogue,
  named: (schema: Json, part: string) => Json,
): Json {
  const codes = [
    ...ANY,
    ...(route.access === "public" ? [] : GUARDED),
    ...(route.body ? WITH_BODY : []),
    ...permissionErrors(route),
    ...(route.errors ?? []),
  ];
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const status = errors[code]?.status;
    if (status === undefined)
      throw new Error(`${route.path} names the error ${code}, which no catalogue has`);
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
  const schema = route.media ? { type: "string" } : named(schemaOf(route.answer, "output"), "Answer");
  const accepted = route.accepted && {
    202: {
      description:
        "It takes longer than two seconds and goes on by itself: see `GET /admin/operations/{id}`.",
      content: { "application/json": { schema: named(schemaOf(route.accepted, "output"), "Accepted") } },
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

/** The page loads everything from this server. It has inline styles in its markup. */
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
