import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@andon/client";
import {
  type RunningServer,
  type SettingsInput,
  type StartOptions,
  settingsOf,
  startServer,
} from "@andon/server";
import { createDatabaseWith } from "@andon/testkit";
import { builtSite } from "./built-site.ts";

export const STORES = ["sqlite", "postgres"] as const;
export type StoreName = (typeof STORES)[number];
type Kind = readonly [store: StoreName, language: "ko" | "en"];
/** Each store and each language once. */
export const KINDS: readonly Kind[] = [
  ["sqlite", "ko"],
  ["postgres", "en"],
];
/** One store and one language, for behaviour of a page that does not depend on them. */
export const ONE_KIND = KINDS.slice(0, 1);
export const OTHER_KIND = KINDS.slice(1);

/** A whole server with its console, on an empty database. Every answer is checked against its schema. */
export class ConsoleServer {
  readonly #settings: SettingsInput & { adminToken: string };
  readonly #options: StartOptions;
  readonly #clean: () => Promise<void>;
  #running: RunningServer | undefined;
  /** Any free port. It stays the same after a restart. */
  #port = 0;

  private constructor(settings: SettingsInput, options: StartOptions, clean: () => Promise<void>) {
    const adminToken = randomBytes(24).toString("base64url");
    this.#settings = { ...settings, adminToken, log: { level: "silent" } };
    this.#options = options;
    this.#clean = clean;
  }

  static async start(
    store: StoreName,
    settings: SettingsInput,
    options: StartOptions = {},
  ): Promise<ConsoleServer> {
    await builtSite();
    const data = mkdtempSync(join(tmpdir(), "andon-console-"));
    const database = store === "postgres" ? await createDatabaseWith("vault") : undefined;
    const clean = async () => {
      await database?.drop();
      rmSync(data, { recursive: true, force: true });
    };
    const at = { data, ...(database ? { store: database.url } : {}) };
    const server = new ConsoleServer({ ...settings, ...at }, options, clean);
    await server.up();
    return server;
  }

  /** Its data folder. */
  get data(): string {
    return this.#settings.data ?? "";
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  client(language: "ko" | "en" = "en"): Client {
    return createClient({ url: this.url, token: this.#settings.adminToken, language });
  }

  /** A console link, as printed by the first start. */
  async link(): Promise<string> {
    return (await this.client().session.link()).url;
  }

  /** Adds a schedule through the library, because the API cannot create schedules. */
  async addSchedule(name: string, queue: string): Promise<void> {
    await this.#running?.site.andon.schedules.put({ name, queue, cron: "0 3 * * *", timeZone: "Asia/Seoul" });
  }

  /** Adds jobs through the library, because the API cannot add jobs to a queue of an app. */
  async addJobs(queue: string, payloads: readonly unknown[]): Promise<void> {
    await this.#running?.site.queues.get(queue)?.queue.addMany(payloads);
  }

  async up(): Promise<void> {
    const settings = settingsOf({ ...this.#settings, port: this.#port });
    this.#running = await startServer(settings, { checkAnswers: true, ...this.#options });
    this.#port = Number(new URL(this.#running.url ?? "").port);
  }

  async down(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  async close(): Promise<void> {
    await this.down();
    await this.#clean();
  }
}
