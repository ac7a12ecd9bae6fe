import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineApp } from "@andon/app";
import { type Client, createClient } from "@andon/client";
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
import { describe, test } from "vitest";

/** Every path at which a route is reached. */
export { pathsOfRoute } from "../src/http/route-paths.ts";

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
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A queue that an app has an alias for, so that the tests reach it by both paths. */
const LINE = "nas-sync";
const alias = defineApp({ name: "alias", queueAliases: { "/admin/queue": LINE } });

/** A whole server on an empty database, with every answer checked against its schema. */
export class TestServer {
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
    settings: SettingsInput = {},
    options: StartOptions = {},
    installed?: Installed,
  ): Promise<TestServer> {
    const data = mkdtempSync(join(tmpdir(), "andon-server-"));
    const database = store === "postgres" ? await createDatabaseWith("server") : undefined;
    const clean = async () => {
      await database?.drop();
      rmSync(data, { recursive: true, force: true });
    };
    const adminToken = randomBytes(24).toString("base64url");
    try {
      const given = {
        port: 0,
        data,
        adminToken,
        log: { level: (process.env.ANDON_TEST_LOG ?? "silent") as "silent" },
        ...settings,
        // Installed apps bring their own.
        apps: [...(installed ? [] : [alias]), ...(settings.apps ?? [])],
        queues: installed
          ? settings.queues
          : { ...settings.queues, [LINE]: { stopReason: "NAS_SYNC_FAILED", ...settings.queues?.[LINE] } },
      };
      const at = database ? { store: database.url } : {};
      const running = await startServer(settingsOf({ ...given, ...at }, installed), {
        checkAnswers: true,
        ...options,
      });
      return new TestServer(running, adminToken, clean);
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

  client(token = this.adminToken, language: "ko" | "en" = "en"): Client {
    return createClient({ url: this.url, token, language });
  }

  /** One request as it is, for what the typed client would not send. */
  async ask(method: string, path: string, { token, body, headers }: Asked = {}): Promise<Reply> {
    const bearer = token === undefined ? this.adminToken : token;
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  /** The problem that a request is refused with. */
  async refused(method: string, path: string, asked?: Asked): Promise<Problem & { reply: Reply }> {
    const reply = await this.ask(method, path, asked);
    if (reply.status < 400) throw new Error(`${method} ${path} was not refused: ${reply.status}`);
    return { ...(reply.body as Problem), reply };
  }

  async key(
    permissions: Permission[],
    scope: { tenantId?: string; organizationId?: string } = {},
  ): Promise<string> {
    const made = await this.client().keys.create({ name: "test", permissions, ...scope });
    return made.token;
  }

  async close(): Promise<void> {
    await this.#running.close();
    await this.#clean();
  }
}

type With = (behaviour: string, settings: SettingsInput, work: (server: TestServer) => Promise<void>) => void;

/** Registers tests for both stores; each gets a server of its own. */
export function describeServers(topic: string, define: (it: With) => void): void {
  describe.each(STORES)(`${topic} on %s`, (store) => {
    define((behaviour, settings, work) => {
      test(behaviour, async () => {
        const server = await TestServer.start(store, settings);
        try {
          await work(server);
        } finally {
          await server.close();
        }
      });
    });
  });
}

export { until } from "@andon/testkit";
