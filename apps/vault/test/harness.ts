import { join } from "node:path";
import type { SettingsInput } from "@andon/server";
import {
  describeOnStores,
  type Ground,
  type Reply,
  ServerUnderTest,
  type Started,
  type StoreName,
  startUnderTest,
} from "@andon/server/testing";
import { type VaultOptions, vaultApp } from "@andon/vault";

export { type Reply, STORES, type StoreName, until } from "@andon/server/testing";

export interface VaultSetUp {
  readonly vault?: Partial<VaultOptions>;
  readonly settings?: SettingsInput;
  readonly ground?: Ground;
}

export interface UploadWish {
  readonly name: string;
  readonly bytes?: string | Uint8Array;
  readonly folderId?: string;
  readonly mimeType?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

/** A server with this app on an empty database, cache and NAS. */
export class VaultServer extends ServerUnderTest {
  /** The folders of the cache and the NAS, unless the set-up names others. */
  readonly cacheFolder: string;
  readonly nasFolder: string;

  private constructor(started: Started) {
    super(started);
    this.cacheFolder = cacheIn(started.data);
    this.nasFolder = nasIn(started.data);
  }

  static async start(
    store: StoreName,
    { vault = {}, settings = {}, ground }: VaultSetUp = {},
  ): Promise<VaultServer> {
    const settingsIn = (data: string) => {
      const places = { cache: `file:${cacheIn(data)}`, nas: `file:${nasIn(data)}` };
      return { apps: [vaultApp({ ...places, language: "en", ...vault }) as never], ...settings };
    };
    return new VaultServer(await startUnderTest("vault", store, { settings: settingsIn, ground }));
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

  /** Waits until no operation for the NAS can run any more. */
  async synced(): Promise<void> {
    const queue = this.site.queues.get("nas-sync")?.queue;
    await queue?.drained({ signal: AbortSignal.timeout(20_000) });
  }
}

const cacheIn = (data: string) => join(data, "cache");
const nasIn = (data: string) => join(data, "nas");

export const describeVault = describeOnStores(VaultServer.start);

/** For servers whose NAS must not follow: no worker runs the queues. */
export const WITHOUT_WORK: SettingsInput = { roles: ["api"] };

/** The column `metadata` of the view `file_sync_queue`: SQLite returns it as text. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export function metadataOf(column: unknown): any {
  return typeof column === "string" ? JSON.parse(column) : column;
}
