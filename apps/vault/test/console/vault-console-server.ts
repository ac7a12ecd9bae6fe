import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ClientOf, clientOf } from "@andon/client";
import { ConsoleServer, type StoreName } from "@andon/console/testing";
import type { SettingsInput } from "@andon/server";
import { vaultApp } from "../../src/app.ts";
import { VAULT_ROUTES } from "../../src/contract/routes.ts";

type QueueSettings = NonNullable<SettingsInput["queues"]>[string];

/** Retries are fast enough for a test. */
const QUICK: QueueSettings = { attempts: 2, backoff: { delay: 50, max: 50 } };

/** A server with the vault, whose cache and NAS are folders of the test. */
export class VaultConsoleServer {
  readonly server: ConsoleServer;
  readonly vault: ClientOf<typeof VAULT_ROUTES>;
  readonly #folder: string;
  readonly #token: string;

  private constructor(server: ConsoleServer, folder: string, token: string) {
    this.server = server;
    this.#folder = folder;
    this.#token = token;
    this.vault = clientOf(VAULT_ROUTES, { url: server.url, token, language: "en" });
  }

  static async start(store: StoreName, queue = QUICK): Promise<VaultConsoleServer> {
    const folder = mkdtempSync(join(tmpdir(), "andon-console-vault-"));
    const places = { cache: `file:${join(folder, "cache")}`, nas: `file:${join(folder, "nas")}` };
    const apps = [vaultApp(places)];
    const server = await ConsoleServer.start(store, { apps: [...apps], queues: { "nas-sync": queue } });
    const { token } = await server.client().keys.create({ name: "test", permissions: ["admin"] });
    return new VaultConsoleServer(server, folder, token);
  }

  /** A path on the NAS. */
  onNas(path: string): string {
    return join(this.#folder, "nas", path);
  }

  /** The content of a file on the NAS; undefined if there is none. */
  read(path: string): string | undefined {
    const at = this.onNas(path);
    return existsSync(at) ? readFileSync(at, "utf8") : undefined;
  }

  async upload(name: string, text = name, folderId = "root"): Promise<string> {
    const form = new FormData();
    form.set("folderId", folderId);
    form.set("file", new Blob([text]), name);
    const response = await fetch(`${this.server.url}/files/upload`, {
      method: "POST",
      body: form,
      headers: { authorization: `Bearer ${this.#token}` },
    });
    if (!response.ok) throw new Error(`upload of ${name}: ${await response.text()}`);
    return ((await response.json()) as { fileId: string }).fileId;
  }

  /** Puts another file at the target of an operation: the operation fails, and its file is held. */
  obstruct(path: string): void {
    mkdirSync(dirname(this.onNas(path)), { recursive: true });
    writeFileSync(this.onNas(path), "somebody else's");
  }

  clear(path: string): void {
    rmSync(this.onNas(path));
  }

  takeNasAway(): void {
    renameSync(this.onNas(""), join(this.#folder, "away"));
  }

  bringNasBack(): void {
    rmSync(this.onNas(""), { recursive: true, force: true });
    renameSync(join(this.#folder, "away"), this.onNas(""));
  }

  async untilHeld(count: number): Promise<void> {
    await until(async () => (await this.vault.syncQueue.held()).total >= count);
  }

  /** Waits until no operation for the NAS is left. */
  async untilSynced(): Promise<void> {
    await until(async () => {
      const { waiting, active, delayed } = await this.server.client().queues.overview({ queue: "nas-sync" });
      return waiting + active + delayed === 0;
    });
  }

  async close(): Promise<void> {
    await this.server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export async function until(look: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 45_000;
  while (!(await look())) {
    if (Date.now() > end) throw new Error("the condition was not met within 45 s");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
