import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { Permission, Problem } from "@andon/contract";
import { type RunningServer, type SettingsInput, settingsOf, startServer } from "@andon/server";
import { type Executors, type StudioOptions, studioApp } from "@andon/studio";
import { createDatabaseWith, until } from "@andon/testkit";
import { describe, test } from "vitest";

export const STORES = ["sqlite", "postgres"] as const;
export type StoreName = (typeof STORES)[number];

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export interface Reply<Body = any> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

interface Asked {
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface SetUp {
  readonly app?: StudioOptions;
  /** Settings of the app, beside the small film that tests make. */
  readonly studio?: Record<string, unknown>;
  readonly settings?: SettingsInput;
  /** What another process has too: its database and folder, which the test cleans up itself. */
  readonly ground?: { readonly data: string; readonly store?: string };
}

/** A film that is rendered within a second or two. */
export const SMALL_FILM = { width: 320, height: 180, fps: 10, sceneSeconds: 1, fadeSeconds: 0.2 } as const;

/** A server with this app on an empty database; every answer is checked against its schema. */
export class StudioServer {
  readonly adminToken: string;
  readonly data: string;
  readonly #running: RunningServer;
  readonly #clean: () => Promise<void>;

  private constructor(
    running: RunningServer,
    { adminToken, data }: { adminToken: string; data: string },
    clean: () => Promise<void>,
  ) {
    this.#running = running;
    this.adminToken = adminToken;
    this.data = data;
    this.#clean = clean;
  }

  static async start(store: StoreName, { app = {}, studio = {}, settings = {}, ground }: SetUp = {}) {
    const data = ground?.data ?? mkdtempSync(join(tmpdir(), "andon-studio-test-"));
    const database = store === "postgres" && !ground ? await createDatabaseWith("studio") : undefined;
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
        apps: [studioApp(app) as never],
        studio: { video: SMALL_FILM, ...studio },
        ...(url === undefined ? {} : { store: url }),
        ...settings,
      };
      const running = await startServer(settingsOf(given), { checkAnswers: true });
      return new StudioServer(running, { adminToken, data }, clean);
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
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get("content-type")?.includes("json");
    return {
      status: response.status,
      body: isJson ? JSON.parse(bytes.toString()) : bytes,
      headers: response.headers,
    };
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

  async makeTask(task: Record<string, unknown> = {}, token?: string): Promise<string> {
    const body = { title: "봄", ...task };
    return (await this.done("POST", "/tasks", { body, ...(token === undefined ? {} : { token }) })).taskId;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  task(id: string): Promise<any> {
    return this.done("GET", `/tasks/${id}`);
  }

  /** The task, as soon as it is in this phase and status, such as `image/waiting`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async reaches(id: string, standing: string): Promise<any> {
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    let seen: any;
    try {
      await until(async () => {
        seen = await this.task(id);
        return `${seen.type}/${seen.status}` === standing;
      });
    } catch {
      throw new Error(`${standing} was not reached: ${JSON.stringify(seen, null, 1)}`);
    }
    return seen;
  }

  /** As soon as the task waits for its images. */
  async parked(id: string): Promise<void> {
    await until(async () => (await this.task(id)).waitsFor !== null);
  }

  upload(id: string, ...images: Buffer[]): Promise<Reply> {
    const form = new FormData();
    for (const [at, image] of images.entries())
      form.append("images", new Blob([new Uint8Array(image)]), `image ${at + 1}.png`);
    return this.ask("POST", `/tasks/${id}/images`, { body: form });
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

type It = (
  behaviour: string,
  setUp: SetUp,
  work: (server: StudioServer) => Promise<void>,
  timeoutMs?: number,
) => void;

/** Registers tests for both stores; each gets a server of its own. */
export function describeStudio(topic: string, define: (it: It, store: StoreName) => void): void {
  describe.each(STORES)(`${topic} on %s`, (store) => {
    define((behaviour, setUp, work, timeoutMs) => {
      test(
        behaviour,
        async () => {
          const server = await StudioServer.start(store, setUp);
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

/** Executors that do nothing, for tests of what is around them: what the others do not name. */
export function idle(executors: Executors = {}): StudioOptions {
  return { executors: { video: async () => ({}), youtube: async () => ({}), ...executors } };
}

/** An image of one colour. */
export function png(
  width = 64,
  height = 48,
  colour: readonly [number, number, number] = [200, 80, 40],
): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(colour))]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

export { until };
