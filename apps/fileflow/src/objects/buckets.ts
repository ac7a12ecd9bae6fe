import { join, resolve } from "node:path";
import type { AppSite, ObjectContent } from "@andon/app";
import { openStorage, type Storage } from "@andon/storage";
import type { FileflowSettings } from "../contract/settings.ts";

/** What is needed to read the object of an execution. */
export interface StoredObject {
  readonly bucket: string;
  readonly key: string;
  readonly tenantId: string;
  readonly fileId: string;
}

/** The buckets that events name: those of another app, those of the settings, or folders in the data folder. */
export class Buckets {
  readonly #settings: FileflowSettings["buckets"];
  readonly #data: string;
  readonly #open = new Map<string, Promise<Storage>>();

  constructor(settings: FileflowSettings["buckets"], data: string) {
    this.#settings = settings;
    this.#data = data;
  }

  async read(site: AppSite, object: StoredObject, signal: AbortSignal): Promise<ObjectContent> {
    const ofApp = site.readObject(object.bucket, object, signal);
    if (ofApp) return ofApp;
    const { stream, size } = await (await this.#storage(object.bucket)).get(object.key, { signal });
    return { stream, size };
  }

  /** Keys and sizes of the objects whose keys begin with `prefix`. */
  async *list(
    bucket: string,
    prefix: string,
  ): AsyncIterable<{ key: string; size: number; modifiedAt: number }> {
    const storage = await this.#storage(bucket);
    const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1).replace(/\/$/, "");
    for await (const { path, kind, size, modifiedAt } of storage.list(folder, { recursive: true })) {
      const key = path.replace(/^\//, "");
      if (kind === "file" && key.startsWith(prefix)) yield { key, size, modifiedAt };
    }
  }

  async close(): Promise<void> {
    for (const storage of this.#open.values()) await (await storage).close();
  }

  #storage(bucket: string): Promise<Storage> {
    let open = this.#open.get(bucket);
    if (!open) {
      open = openStorage(this.#addressOf(bucket));
      this.#open.set(bucket, open);
      open.catch(() => this.#open.delete(bucket));
    }
    return open;
  }

  #addressOf(bucket: string): string {
    const own = Object.hasOwn(this.#settings, bucket) ? this.#settings[bucket]?.url : undefined;
    return own ?? `file:${join(resolve(this.#data), "buckets", bucket)}`;
  }
}
