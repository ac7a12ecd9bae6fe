import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Permission, Problem } from "@andon/contract";
import { type RunningServer, type SettingsInput, settingsOf, startServer } from "@andon/server";
import { createDatabaseWith } from "@andon/testkit";
import { type VaultOptions, vaultApp } from "@andon/vault";
import { describe, test } from "vitest";

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

export interface VaultSetUp {
  readonly vault?: Partial<VaultOptions>;
  readonly settings?: SettingsInput;
  /** What earlier processes left: its database and its folders, which the test cleans up itself. */
  readonly ground?: { readonly data: string; readonly store: string };
}

export interface UploadWish {
  readonly name: string;
  readonly bytes?: string | Uint8Array;
  readonly folderId?: string;
  readonly mimeType?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

/** A whole server with the vault on an empty database, cache and NAS; every answer is checked against its schema. */
export class VaultServer {
  readonly adminToken: string;
  /** Folders that the cache and the NAS lie in, where the set-up names no others. */
  readonly cacheFolder: string;
  readonly nasFolder: string;
  readonly #running: RunningServer;
  readonly #clean: () => Promise<void>;

  private constructor(
    running: RunningServer,
    made: { adminToken: string; cacheFolder: string; nasFolder: string; clean: () => Promise<void> },
  ) {
    this.#running = running;
    this.adminToken = made.adminToken;
    this.cacheFolder = made.cacheFolder;
    this.nasFolder = made.nasFolder;
    this.#clean = made.clean;
  }

  static async start(
    store: StoreName,
    { vault = {}, settings = {}, ground }: VaultSetUp = {},
  ): Promise<VaultServer> {
    const data = ground?.data ?? mkdtempSync(join(tmpdir(), "andon-vault-"));
    const database = store === "postgres" && !ground ? await createDatabaseWith("vault") : undefined;
    const clean = async () => {
      if (ground) return;
      await database?.drop();
      rmSync(data, { recursive: true, force: true });
    };
    const adminToken = randomBytes(24).toString("base64url");
    const cacheFolder = join(data, "cache");
    const nasFolder = join(data, "nas");
    try {
      const places = { cache: `file:${cacheFolder}`, nas: `file:${nasFolder}` };
      const app = vaultApp({ ...places, language: "en", ...vault });
      const given = {
        port: 0,
        data,
        adminToken,
        log: { level: "silent" as const },
        apps: [app as never],
        ...settings,
      };
      const url = ground?.store ?? database?.url;
      const at = url === undefined ? {} : { store: url };
      const running = await startServer(settingsOf({ ...given, ...at }), { checkAnswers: true });
      return new VaultServer(running, { adminToken, cacheFolder, nasFolder, clean });
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

  /** Rows of the store, for what the API does not show. */
  rows<Row = Record<string, unknown>>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    return this.site.andon.store.query<Row>(sql, params);
  }

  async ask(method: string, path: string, { token, body, headers }: Asked = {}): Promise<Reply> {
    const bearer = token === undefined ? this.adminToken : token;
    const isForm = body instanceof FormData;
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        "accept-language": "en",
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  /** The answer of a request that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async done(method: string, path: string, asked?: Asked): Promise<any> {
    const reply = await this.ask(method, path, asked);
    if (reply.status >= 400)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  /** The problem that a request is refused with. */
  async refused(method: string, path: string, asked?: Asked): Promise<Problem> {
    const reply = await this.ask(method, path, asked);
    if (reply.status < 400) throw new Error(`${method} ${path} was not refused: ${reply.status}`);
    return reply.body as Problem;
  }

  uploadReply({ name, bytes = "", folderId, mimeType, token, headers }: UploadWish): Promise<Reply> {
    const form = new FormData();
    if (folderId !== undefined) form.set("folderId", folderId);
    form.set("file", new Blob([bytes as string], mimeType ? { type: mimeType } : {}), name);
    return this.ask("POST", "/files/upload", {
      body: form,
      ...(token === undefined ? {} : { token }),
      ...(headers === undefined ? {} : { headers }),
    });
  }

  async upload(wish: UploadWish): Promise<{
    fileId: string;
    name: string;
    folderId: string;
    size: number;
    sha256: string;
    syncQueueId: string;
    queuePosition: number;
  }> {
    const reply = await this.uploadReply(wish);
    if (reply.status !== 200) throw new Error(`upload: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async makeFolder(name: string, parentId?: string, token?: string): Promise<string> {
    const body = { name, ...(parentId === undefined ? {} : { parentId }) };
    const made = await this.done("POST", "/folders", { body, ...(token === undefined ? {} : { token }) });
    return made.id;
  }

  async key(permissions: Permission[], scope: { tenantId?: string } = {}): Promise<string> {
    const made = await this.done("POST", "/admin/keys", { body: { name: "test", permissions, ...scope } });
    return made.token;
  }

  /** Nothing of the NAS's queue will run by itself any more. */
  async synced(): Promise<void> {
    const queue = this.site.queues.get("nas-sync")?.queue;
    await queue?.drained({ signal: AbortSignal.timeout(20_000) });
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

type With = (
  behaviour: string,
  setUp: VaultSetUp,
  work: (server: VaultServer) => Promise<void>,
  timeoutMs?: number,
) => void;

/** Registers tests for both stores; each gets a server of its own. */
export function describeVault(topic: string, define: (it: With, store: StoreName) => void): void {
  describe.each(STORES)(`${topic} on %s`, (store) => {
    define((behaviour, setUp, work, timeoutMs) => {
      test(
        behaviour,
        async () => {
          const server = await VaultServer.start(store, setUp);
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

/** For servers whose NAS is not to follow: nothing works the queues. */
export const WITHOUT_WORK: SettingsInput = { roles: ["api"] };

/** The column `metadata` of the view `file_sync_queue`: SQLite has it as text. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export function metadataOf(column: unknown): any {
  return typeof column === "string" ? JSON.parse(column) : column;
}

export { until } from "@andon/testkit";
