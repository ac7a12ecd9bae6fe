import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Permission, Problem } from "@andon/contract";
import { type FileflowOptions, fileflowApp } from "@andon/fileflow";
import { type RunningServer, type SettingsInput, settingsOf, startServer } from "@andon/server";
import { createDatabaseWith, until } from "@andon/testkit";
import { describe, test } from "vitest";

const STORES = ["sqlite", "postgres"] as const;
export type StoreName = (typeof STORES)[number];

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export interface Reply<Body = any> {
  readonly status: number;
  readonly body: Body;
}

interface Asked {
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface SetUp {
  readonly app?: FileflowOptions;
  readonly settings?: SettingsInput;
  /** What another process has too: its database and folder, which the test cleans up itself. */
  readonly ground?: { readonly data: string; readonly store?: string };
}

/** A server with this app on an empty database; every answer is checked against its schema. */
export class FileflowServer {
  readonly adminToken: string;
  readonly data: string;
  readonly #running: RunningServer;
  readonly #clean: () => Promise<void>;

  private constructor(running: RunningServer, adminToken: string, data: string, clean: () => Promise<void>) {
    this.data = data;
    this.#running = running;
    this.adminToken = adminToken;
    this.#clean = clean;
  }

  static async start(
    store: StoreName,
    { app = {}, settings = {}, ground }: SetUp = {},
  ): Promise<FileflowServer> {
    const data = ground?.data ?? mkdtempSync(join(tmpdir(), "andon-fileflow-test-"));
    const database = store === "postgres" && !ground ? await createDatabaseWith("fileflow") : undefined;
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
        log: { level: "silent" as const },
        apps: [fileflowApp(app) as never],
        ...(url === undefined ? {} : { store: url }),
        ...settings,
      };
      return new FileflowServer(
        await startServer(settingsOf(given), { checkAnswers: true }),
        adminToken,
        data,
        clean,
      );
    } catch (error) {
      await clean();
      throw error;
    }
  }

  get url(): string {
    return this.#running.url as string;
  }

  get site(): RunningServer["site"] {
    return this.#running.site;
  }

  rows<Row = Record<string, unknown>>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    return this.site.andon.store.query<Row>(sql, params);
  }

  async ask(method: string, path: string, { token, body, headers }: Asked = {}): Promise<Reply> {
    const bearer = token === undefined ? this.adminToken : token;
    const isText = typeof body === "string";
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        "accept-language": "en",
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async done(method: string, path: string, asked?: Asked): Promise<any> {
    const { status, body } = await this.ask(method, path, asked);
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async refused(method: string, path: string, asked?: Asked): Promise<Problem> {
    const { status, body } = await this.ask(method, path, asked);
    if (status < 400) throw new Error(`${method} ${path} was not refused: ${status}`);
    return body as Problem;
  }

  async key(
    permissions: Permission[],
    scope: { tenantId?: string; organizationId?: string } = {},
  ): Promise<string> {
    return (await this.done("POST", "/admin/keys", { body: { name: "test", permissions, ...scope } })).token;
  }

  /** The path of an object in a bucket of this server's data folder. */
  objectPath(bucket: string, key: string): string {
    return join(this.data, "buckets", bucket, key);
  }

  putObject(bucket: string, key: string, content: string | Uint8Array): void {
    const path = this.objectPath(bucket, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  /** Sends an event of the own schema. */
  ingest(event: Record<string, unknown> = {}, token?: string): Promise<Reply> {
    return this.ask("POST", "/ingest/events", {
      body: ownEvent(event),
      ...(token === undefined ? {} : { token }),
    });
  }

  /** Sends it, and gives the id of its execution. */
  async execute(event: Record<string, unknown> = {}, token?: string): Promise<string> {
    const { status, body } = await this.ingest(event, token);
    if (status !== 202) throw new Error(`ingest: ${status} ${JSON.stringify(body)}`);
    return body.executionId;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  execution(id: string): Promise<any> {
    return this.done("GET", `/pipelines/executions/${id}`);
  }

  /** The execution, as soon as it has this status. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async inStatus(id: string, status: string): Promise<any> {
    await until(async () => {
      const execution = await this.execution(id);
      if (execution.status !== status && ENDED.includes(execution.status))
        throw new Error(`it ended ${execution.status}: ${JSON.stringify(execution)}`);
      return execution.status === status;
    });
    return this.execution(id);
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

const ENDED = ["COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"];

let made = 0;

/** An event of the own schema; each has a key of its own unless told otherwise. */
export function ownEvent(event: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: "s3.object.created",
    bucket: "bkt",
    key: `path/object-${++made}`,
    size: 5,
    mime: "text/plain",
    tenantId: "tnt_demo",
    organizationId: 123,
    ...event,
  };
}

type It = (
  behaviour: string,
  setUp: SetUp | (() => SetUp | Promise<SetUp>),
  work: (server: FileflowServer) => Promise<void>,
  timeoutMs?: number,
) => void;

/** Registers tests for both stores; each gets a server of its own. */
export function describeFileflow(topic: string, define: (it: It, store: StoreName) => void): void {
  describe.each(STORES)(`${topic} on %s`, (store) => {
    define((behaviour, setUp, work, timeoutMs) => {
      test(
        behaviour,
        async () => {
          const server = await FileflowServer.start(
            store,
            await (typeof setUp === "function" ? setUp() : setUp),
          );
          try {
            await work(server);
          } finally {
            await server.close();
          }
        },
        timeoutMs,
      );
    }, store);
  });
}

export { until };
