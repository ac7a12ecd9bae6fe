import type { AppSite } from "@andon/app";
import type { Language } from "@andon/contract";
import type { Andon, Queue } from "@andon/engine";
import type { Storage } from "@andon/storage";
import type { RecentBytes } from "./cache/recent-bytes.ts";

export interface VaultSettings {
  /** The address of the NAS, without secrets, as stored in `vault_nas`. */
  readonly nas: string;
  /** How long the trash keeps things, in milliseconds. */
  readonly trashKeep: number;
  /** The largest file, in bytes. */
  readonly maxUploadSize: number;
  /** Whether the NAS treats `a` and `A` as the same name. */
  readonly caseInsensitive: boolean;
  /** Whether names that Windows and SMB refuse are refused. */
  readonly windowsNames: boolean;
  /** The language of the readiness check. */
  readonly language: Language;
}

/**
 * The context that every part of the vault works with.
 *
 * A file that is deleted for good keeps its row with the state `DELETED`, which no reader sees, until its DELETE
 * operation completes, which removes its rows in `files` and `file_storage_objects`. If the DELETE is given up, the end
 * of the file's last operation removes them.
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

/** The queue of the vault's own background work: emptying the trash, settling folders, cleaning the cache. */
export const VAULT_QUEUE = "vault";
export const SYNC_QUEUE = "nas-sync";
/** The queue of comparisons of the store with the NAS. */
export const DRIFT_QUEUE = "vault-drift";
