import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Permission, Problem } from "@andon/contract";
import {
  type Installed,
  type RunningServer,
  type SettingsInput,
  type StartOptions,
  settingsOf,
  startServer,
} from "@andon/server";
import { createDatabaseWith } from "@andon/testkit";
import { afterAll, describe, test } from "vitest";

export const STORES = ["sqlite", "postgres"] as const;
export type StoreName = (typeof STORES)[number];

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export interface Reply<Body = any> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Asked {
  readonly token?: string | null;
  /** Text and forms are sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** The database and folder of earlier or other processes. The test cleans them up itself. */
export interface Ground {
  readonly data: string;
  readonly store?: string;
}

export interface Started {
  readonly running: RunningServer;
  readonly adminToken: string;
  readonly data: string;
  readonly clean: () => Promise<void>;
}

interface StartWish {
  readonly settings: (data: string) => SettingsInput;
  readonly ground?: Ground | undefined;
  readonly options?: StartOptions | undefined;
  readonly installed?: Installed | undefined;
}

/** Starts a server on a free port, on an empty database unless `ground` is given. Every answer is checked against its schema. */
export async function startUnderTest(
  name: Parameters<typeof createDatabaseWith>[0],
  store: StoreName,
  { settings, ground, options = {}, installed }: StartWish,
): Promise<Started> {
  const data = ground?.data ?? mkdtempSync(join(tmpdir(), `andon-${name}-`));
  const database = store === "postgres" && !ground ? await createDatabaseWith(name) : undefined;
  const clean = async () => {
    if (ground) return;
    await database?.drop();
    rmSync(data, { recursive: true, force: true });
  };
  const adminToken = randomBytes(24).toString("base64url");
  const url = ground?.store ?? database?.url;
  try {
    const given = {
      port: 0,
      data,
      adminToken,
      log: { level: (process.env.ANDON_TEST_LOG ?? "silent") as "silent" },
      ...settings(data),
      ...(url === undefined ? {} : { store: url }),
    };
    const running = await startServer(settingsOf(given, installed), { checkAnswers: true, ...options });
    return { running, adminToken, data, clean };
  } catch (error) {
    await clean();
    throw error;
  }
}

/** A running server for tests. Apps extend it. */
export class ServerUnderTest {
  readonly adminToken: string;
  readonly data: string;
  /** The default headers of every request. */
  protected readonly headers: Readonly<Record<string, string>> = { "accept-language": "en" };
  readonly #running: RunningServer;
  readonly #clean: () => Promise<void>;

  constructor({ running, adminToken, data, clean }: Started) {
    this.#running = running;
    this.#clean = clean;
    this.adminToken = adminToken;
    this.data = data;
  }

  get url(): string {
    return this.#running.url as string;
  }

  get site(): RunningServer["site"] {
    return this.#running.site;
  }

  /** Rows of the store, for what the API does not show. */
  rows<Row = Record<string, unknown>>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    return this.site.andon.store.query<Row>(sql, params);
  }

  /** One plain request, for requests that the typed client does not send. */
  async ask(method: string, path: string, { token, body, headers }: Asked = {}): Promise<Reply> {
    const bearer = token === undefined ? this.adminToken : token;
    const isForm = body instanceof FormData;
    const isSentAsItIs = isForm || typeof body === "string";
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...this.headers,
        ...headers,
      },
      ...(body === undefined ? {} : { body: isSentAsItIs ? body : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get("content-type")?.includes("json");
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(bytes.toString()) : this.shown(bytes),
    };
  }

  /** The body of an answer that is not JSON. */
  protected shown(bytes: Buffer): unknown {
    return bytes.toString();
  }

  /** The answer of a request that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async done(method: string, path: string, asked?: Asked): Promise<any> {
    const { status, body } = await this.ask(method, path, asked);
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** The problem of a request that must be refused. */
  async refused(method: string, path: string, asked?: Asked): Promise<Problem & { reply: Reply }> {
    const reply = await this.ask(method, path, asked);
    if (reply.status < 400) throw new Error(`${method} ${path} was not refused: ${reply.status}`);
    return { ...(reply.body as Problem), reply };
  }

  /** A new key's token. */
  async key(
    permissions: Permission[],
    scope: { tenantId?: string; organizationId?: string } = {},
  ): Promise<string> {
    return (await this.done("POST", "/admin/keys", { body: { name: "test", permissions, ...scope } })).token;
  }

  /** Stops without cleaning up; `close` does both. */
  stop(): Promise<void> {
    return this.#running.close();
  }

  async close(): Promise<void> {
    await this.#running.close();
    await this.#clean();
  }
}

interface Shareable {
  /** Whether all tests of a topic with this same set-up object share one server; they run one after the other. Default: false. */
  readonly isShared?: boolean;
}

type Test<Server, SetUp> = (
  behaviour: string,
  setUp: (SetUp & Shareable) | (() => SetUp | Promise<SetUp>),
  work: (server: Server) => Promise<void>,
  timeoutMs?: number,
) => void;

/** Registers tests for both stores, each with its own server unless its set-up is shared. `afterwards` runs after a passed test. */
export function describeOnStores<Server extends Pick<ServerUnderTest, "close">, SetUp extends object>(
  start: (store: StoreName, setUp?: SetUp) => Promise<Server>,
  afterwards?: (server: Server) => Promise<void>,
): (topic: string, define: (it: Test<Server, SetUp>, store: StoreName) => void) => void {
  return (topic, define) =>
    describe.each(STORES)(`${topic} on %s`, (store) => {
      const shared = new Map<object, Promise<Server>>();
      afterAll(async () => {
        for (const server of shared.values()) await (await server).close();
      });
      define((behaviour, setUp, work, timeoutMs) => {
        const isMade = typeof setUp === "function";
        const isShared = !isMade && setUp.isShared === true;
        test(
          behaviour,
          async () => {
            const starting = shared.get(setUp) ?? start(store, isMade ? await setUp() : setUp);
            if (isShared) shared.set(setUp, starting);
            const server = await starting;
            try {
              await work(server);
              await afterwards?.(server);
            } finally {
              if (!isShared) await server.close();
            }
          },
          timeoutMs,
        );
      }, store);
    });
}

export { until } from "@andon/testkit";
