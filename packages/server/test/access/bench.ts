import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CORE_PERMISSIONS, type Principal, ROUTES } from "@andon/contract";
import { Andon, type Clock, systemClock } from "@andon/engine";
import { openStore } from "@andon/store";
import { createDatabaseWith } from "@andon/testkit";
import Fastify, { type FastifyInstance } from "fastify";
import { type Logger, pino } from "pino";
import { afterAll, beforeAll, describe } from "vitest";
import { type Access, openAccess } from "../../src/access/access.ts";
import type { JwtSettings } from "../../src/access/jwt.ts";
import { serveAccess } from "../../src/access/serve.ts";
import { decorateAccess } from "../../src/access/session-guard.ts";
import { settingsOf } from "../../src/config/read-settings.ts";
import { guardEveryRoute } from "../../src/http/guard.ts";
import { mountAll } from "../../src/http/mount.ts";
import { answerWithProblems } from "../../src/http/problems.ts";
import { SERVER_MIGRATIONS } from "../../src/migrations.ts";
import type { Site } from "../../src/site.ts";

/** The principal of the admin token. */
export const ADMIN: Principal = {
  actor: "admin",
  permissions: ["admin"],
  tenantId: null,
  organizationId: null,
};

export const ADMIN_TOKEN = "the-admin-token-of-these-tests";

const folder = mkdtempSync(join(tmpdir(), "andon-access-"));
let files = 0;

const KINDS = {
  sqlite: async () => ({ url: `sqlite:${join(folder, `${++files}.db`)}`, drop: async () => {} }),
  postgres: () => createDatabaseWith("server"),
};
type StoreName = keyof typeof KINDS;

/** The machine's clock, which a test can only move forward. */
class MovableClock implements Clock {
  #ahead = 0;
  now = () => Date.now() + this.#ahead;
  monotonic = () => performance.now() + this.#ahead;
  after = systemClock.after;
  pass(ms: number): void {
    this.#ahead += ms;
  }
}

interface Bench {
  readonly clock: MovableClock;
  readonly andon: Andon;
  readonly access: Access;
  /** Every log line so far. */
  readonly logged: string[];
  /** Another access on the same store, as in another process. */
  another(options?: { jwt?: JwtSettings; publicUrl?: string }): Promise<Access>;
  /** The access of this bench over HTTP. */
  listen(options?: { jwt?: JwtSettings; publicUrl?: string }): Promise<Http>;
  rows<Row = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<Row[]>;
}

interface Http {
  readonly origin: string;
  send(
    method: string,
    path: string,
    init?: { headers?: Record<string, string>; body?: unknown },
  ): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the test says it is.
  readonly body: any;
}

/** Runs the tests of one topic on both databases, each file with one database of each kind. */
export function describeAccess(topic: string, define: (bench: () => Bench) => void): void {
  describe.each(Object.keys(KINDS) as StoreName[])(`${topic} on %s`, (name) => {
    let bench: Bench;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ bench, close } = await openBench(name));
    });
    afterAll(() => close?.());
    define(() => bench);
  });
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function openBench(name: StoreName): Promise<{ bench: Bench; close: () => Promise<void> }> {
  const database = await KINDS[name]();
  const clock = new MovableClock();
  const opened: Andon[] = [];
  const apps: FastifyInstance[] = [];
  const logged: string[] = [];
  const log: Logger = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
  const openAndon = async () => {
    const store = await openStore(database.url, { clock });
    await store.migrate([SERVER_MIGRATIONS]);
    const andon = new Andon(store);
    opened.push(andon);
    return andon;
  };
  const accessOn = (andon: Andon, publicUrl: () => string, jwt?: JwtSettings) =>
    openAccess({ andon, adminToken: ADMIN_TOKEN, publicUrl, jwt, permissions: CORE_PERMISSIONS, log });

  const andon = await openAndon();
  const bench: Bench = {
    clock,
    andon,
    access: await accessOn(andon, () => "http://console.example:8400"),
    logged,
    another: async ({ jwt, publicUrl = "http://console.example:8400" } = {}) =>
      accessOn(await openAndon(), () => publicUrl, jwt),
    async listen({ jwt, publicUrl } = {}) {
      let origin = "";
      const access = await accessOn(andon, () => publicUrl ?? origin, jwt);
      const app = Fastify({ loggerInstance: log });
      apps.push(app as unknown as FastifyInstance);
      origin = await serve(
        app as unknown as FastifyInstance,
        { access, andon, apps: [], settings: settingsOf({}) },
        () => [origin],
      );
      return { origin, send: (method, path, init) => send(origin, method, path, init) };
    },
    rows: (sql, params) => andon.store.query(sql, params),
  };
  const close = async () => {
    for (const app of apps) await app.close();
    for (const each of opened) await each.close();
    await database.drop();
  };
  return { bench, close };
}

async function serve(
  app: FastifyInstance,
  site: Pick<Site, "access" | "andon" | "apps" | "settings">,
  origins: () => readonly string[],
): Promise<string> {
  answerWithProblems(app, site.andon.store);
  await decorateAccess(app, site, origins);
  guardEveryRoute(app);
  const { keys, session, sessions } = ROUTES;
  mountAll(app, { keys, session, sessions }, serveAccess(site), { checkAnswers: true, aliases: {} });
  return app.listen({ host: "127.0.0.1", port: 0 });
}

async function send(
  origin: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}

export const asAdmin = { authorization: `Bearer ${ADMIN_TOKEN}` };
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The pair `name=value` of the cookie that an answer sets. */
export function cookieOf(answer: Answer): string {
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}
