import type { AppSite } from "@andon/app";
import type { Language } from "@andon/contract";
import type { Andon, Queue } from "@andon/engine";
import type { Storage } from "@andon/storage";
import type { RecentBytes } from "./cache/recent-bytes.ts";

export interface VaultSettings {
  /** The NAS's address, without secrets: what `vault_nas` knows it by. */
  readonly nas: string;
  /** How long the trash keeps things, in milliseconds. */
  readonly trashKeep: number;
  /** In bytes. */
  readonly maxUploadSize: number;
  /** Whether the NAS takes `a` and `A` for the same name. */
  readonly caseInsensitive: boolean;
  /** Whether names that Windows and SMB refuse are refused. */
  readonly windowsNames: boolean;
  /** What is stored for people to read, such as why an operation failed, is said in it. */
  readonly language: Language;
}

/**
 * What every part of the vault works with.
 *
 * A file that is deleted for good keeps its row with the state `DELETED`, which no reader sees, until its DELETE operation
 * is through: that removes its rows in `files` and `file_storage_objects` as it completes. Where the DELETE is given up,
 * the end of the file's last operation does.
 */
export interface VaultContext {
  readonly andon: Andon;
  readonly cache: Storage;
  readonly recent: RecentBytes;
  readonly nas: Storage;
  readonly settings: VaultSettings;
  queue(name: string): Queue<unknown>;
  readonly once: AppSite["once"];
  readonly announce: AppSite["announce"];
}

/** Where the vault's own work in the background runs: emptying the trash, settling folders, cleaning the cache. */
export const VAULT_QUEUE = "vault";
export const SYNC_QUEUE = "nas-sync";
/** Where comparisons of the store with the NAS run. */
export const DRIFT_QUEUE = "vault-drift";
