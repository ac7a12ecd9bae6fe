import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { SettingsInput } from "@andon/server";
import { openStorage } from "@andon/storage";
import { FlakyStorage } from "@andon/storage/testing";
import { describe, test } from "vitest";
import { STORES, type StoreName, until, VaultServer } from "../harness.ts";

type QueueSettings = NonNullable<SettingsInput["queues"]>[string];

/** Back-offs short enough to wait for. */
const QUICK: QueueSettings = { backoff: { delay: 10, max: 50 } };

/** A vault whose NAS and cache fail on demand. */
export class FlakyVault {
  readonly server: VaultServer;
  readonly nas: FlakyStorage;
  readonly cache: FlakyStorage;
  readonly folder: string;

  private constructor(server: VaultServer, nas: FlakyStorage, cache: FlakyStorage, folder: string) {
    this.server = server;
    this.nas = nas;
    this.cache = cache;
    this.folder = folder;
  }

  static async start(
    store: StoreName,
    queue: QueueSettings = {},
    more: SettingsInput = {},
  ): Promise<FlakyVault> {
    const folder = mkdtempSync(join(tmpdir(), "andon-flaky-"));
    const nas = new FlakyStorage(await openStorage(`file:${join(folder, "nas")}`, { marker: true }));
    const cache = new FlakyStorage(await openStorage(`file:${join(folder, "cache")}`));
    const settings = { ...more, queues: { "nas-sync": { ...QUICK, ...queue } } };
    const server = await VaultServer.start(store, { vault: { nas, cache }, settings });
    return new FlakyVault(server, nas, cache, folder);
  }

  get nasFolder(): string {
    return join(this.folder, "nas");
  }

  get cacheFolder(): string {
    return join(this.folder, "cache");
  }

  /** The files on the NAS: text by path, without the marker. */
  onNas(): Record<string, string> {
    return Object.fromEntries(
      filesBelow(this.nasFolder)
        .filter((path) => path !== ".andon-nas")
        .map((path) => [path, readFileSync(join(this.nasFolder, path), "utf8")]),
    );
  }

  status(fileId: string) {
    return this.server.done("GET", `/files/${fileId}/sync-status`);
  }

  /** The NAS's availability of a file. */
  async availability(fileId: string): Promise<string> {
    const { storage } = await this.server.done("GET", `/files/${fileId}`);
    return storage.find(({ type }: { type: string }) => type === "NAS").availabilityStatus;
  }

  /** Queues operations while nothing runs, so that all of them exist before the first one starts. */
  async beforeAnythingRuns(work: () => Promise<void>): Promise<void> {
    await this.server.done("POST", "/admin/queue/pause", { body: { reason: "test" } });
    await work();
    await this.server.done("POST", "/admin/queue/resume");
  }

  async untilHeld(fileId: string): Promise<void> {
    await until(async () => (await this.status(fileId)).queueStatus === "HELD");
  }

  async close(): Promise<void> {
    this.nas.recover();
    this.cache.recover();
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

type With = (
  behaviour: string,
  work: (vault: FlakyVault) => Promise<void>,
  queue?: QueueSettings,
  more?: SettingsInput,
) => void;

/** Registers tests for both stores; each gets a vault of its own. */
export function describeFlaky(topic: string, define: (it: With) => void): void {
  describe.each(STORES)(`${topic} on %s`, (store) => {
    define((behaviour, work, queue, more) => {
      test(behaviour, { timeout: 60_000 }, async () => {
        const vault = await FlakyVault.start(store, queue, more);
        try {
          await work(vault);
        } finally {
          await vault.close();
        }
      });
    });
  });
}
