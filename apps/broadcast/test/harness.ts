import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BroadcastOptions, broadcastApp } from "@andon/broadcast";
import type { Permission, Problem } from "@andon/contract";
import { type RunningServer, type SettingsInput, settingsOf, startServer } from "@andon/server";
import { createDatabaseWith, until } from "@andon/testkit";
import { describe, test } from "vitest";

export const STORES = ["sqlite", "postgres"] as const;
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
  readonly app?: BroadcastOptions;
  readonly settings?: SettingsInput;
  /** What another process has too: its database and folder, which the test cleans up itself. */
  readonly ground?: { readonly data: string; readonly store?: string };
}

/** A server with this app on an empty database; every answer is checked against its schema. */
export class BroadcastServer {
  readonly adminToken: string;
  readonly #running: RunningServer;
  readonly #clean: () => Promise<void>;

  private constructor(running: RunningServer, adminToken: string, clean: () => Promise<void>) {
    this.#running = running;
    this.adminToken = adminToken;
    this.#clean = clean;
  }

  static async start(
    store: StoreName,
    { app = {}, settings = {}, ground }: SetUp = {},
  ): Promise<BroadcastServer> {
    const data = ground?.data ?? mkdtempSync(join(tmpdir(), "andon-broadcast-test-"));
    const database = store === "postgres" && !ground ? await createDatabaseWith("broadcast") : undefined;
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
        apps: [broadcastApp(app) as never],
        ...(url === undefined ? {} : { store: url }),
        ...settings,
      };
      return new BroadcastServer(
        await startServer(settingsOf(given), { checkAnswers: true }),
        adminToken,
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
        ...(body === undefined
          ? {}
          : { "content-type": isText ? "application/x-ndjson" : "application/json" }),
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

  /** Stores channels `c0001` and so on. */
  async addChannels(count: number, token?: string, prefix = "c"): Promise<void> {
    const lines = Array.from({ length: count }, (_, at) => JSON.stringify({ id: channelId(at + 1, prefix) }));
    await this.done("POST", "/channels", {
      body: lines.join("\n"),
      ...(token === undefined ? {} : { token }),
    });
  }

  async makeJob(job: Record<string, unknown> = {}, token?: string): Promise<string> {
    const body = { category: "news", title: "Hello", body: "World", ...job };
    return (await this.done("POST", "/bulk-jobs", { body, ...(token === undefined ? {} : { token }) })).id;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  job(id: string): Promise<any> {
    return this.done("GET", `/bulk-jobs/${id}`);
  }

  /** The job, as soon as it is in this state. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async inState(id: string, state: string): Promise<any> {
    await until(async () => (await this.job(id)).state === state);
    return this.job(id);
  }

  /** As soon as so many recipients are done. */
  async processed(id: string, atLeast: number): Promise<void> {
    await until(async () => (await this.job(id)).processed >= atLeast);
  }

  /** The channels that a job has notified, in order. */
  async notified(id: string): Promise<string[]> {
    const sql = "select channel_id as id from broadcast_notifications where job_id = $1 order by channel_id";
    return (await this.rows<{ id: string }>(sql, [id])).map((row) => row.id);
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

export function channelId(at: number, prefix = "c"): string {
  return `${prefix}${String(at).padStart(4, "0")}`;
}

/** Slow enough that a test can act in the middle, also on a busy machine: four chunks a second. */
export const SLOW = { chunkSize: 10, throttle: { pauseMs: 250 } } as const;

type It = (
  behaviour: string,
  setUp: SetUp,
  work: (server: BroadcastServer) => Promise<void>,
  timeoutMs?: number,
) => void;

/** Registers tests for both stores; each gets a server of its own. */
export function describeBroadcast(topic: string, define: (it: It, store: StoreName) => void): void {
  describe.each(STORES)(`${topic} on %s`, (store) => {
    define((behaviour, setUp, work, timeoutMs) => {
      test(
        behaviour,
        async () => {
          const server = await BroadcastServer.start(store, setUp);
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
