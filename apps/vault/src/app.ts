import { type App, type AppHost, type AppSite, defineApp, type ServeAll } from "@andon/app";
import type { Language } from "@andon/contract";
import { openStorage, placeNames, type Storage } from "@andon/storage";
import { RecentBytes } from "./cache/recent-bytes.ts";
import { callerFor, ownerOf } from "./caller.ts";
import { VAULT_ALERTS } from "./contract/alerts.ts";
import { VAULT_ERRORS } from "./contract/errors.ts";
import { VAULT_PERMISSIONS } from "./contract/permissions.ts";
import { VAULT_ROUTES } from "./contract/routes.ts";
import { type GivenSettings, VAULT_SETTINGS } from "./contract/settings.ts";
import { driftQueue } from "./drift/drift-queue.ts";
import { serveDrift } from "./drift/serve-drift.ts";
import { serveFiles } from "./files/serve-files.ts";
import { BUCKET, readObject } from "./files/vault-bucket.ts";
import { serveFolders } from "./folders/serve-folders.ts";
import { housekeepingQueue, scheduleHousekeeping } from "./housekeeping.ts";
import { KnownNas } from "./nas/known-nas.ts";
import { nasAddress } from "./nas/nas-identity.ts";
import { placesReady } from "./nas/ready.ts";
import { recogniseAtStart } from "./nas/recognise-at-start.ts";
import { placesOf } from "./places.ts";
import { serveSyncQueue } from "./sync/serve-sync-queue.ts";
import { nasSyncQueue, saveSyncRules } from "./sync/sync-queue.ts";
import { syncStatus } from "./sync/sync-status.ts";
import { listTrash } from "./trash/list-trash.ts";
import {
  DRIFT_QUEUE,
  SYNC_QUEUE,
  VAULT_QUEUE,
  type VaultContext,
  type VaultSettings,
} from "./vault-context.ts";

/** The options of a program that mounts the vault itself. They override the settings of the host. */
export interface VaultOptions {
  /**
   * Where uploaded bytes are stored first: an address such as `file:data/cache` or `s3://bucket/prefix`, or an open
   * storage.
   */
  readonly cache?: string | Storage;
  /** The NAS that every change is copied to: an address, or an open storage. */
  readonly nas?: string | Storage;
  /** How long the trash keeps things, in milliseconds. Default: 30 days. */
  readonly trashKeep?: number;
  /** The largest file, in bytes. Default: no limit. */
  readonly maxUploadSize?: number;
  /**
   * Whether the NAS treats `a` and `A` as the same name, as Windows shares do. Default: true for `smb://…`, else false.
   */
  readonly caseInsensitive?: boolean;
  /** Whether names that Windows and SMB refuse are refused. Default: true for `smb://…`, else false. */
  readonly windowsNames?: boolean;
  /** The language of the readiness check. Default: the host's. */
  readonly language?: Language;
}

const DAY = 86_400_000;

/** The places and the settings of an open vault. */
type Opened = Pick<VaultContext, "cache" | "nas" | "settings">;

/**
 * The vault: files and folders, a cache, and a NAS that every change is copied to. Each returned app is for one host,
 * because it holds the places it has opened.
 */
export function vaultApp(options: VaultOptions = {}): App<typeof VAULT_ROUTES> {
  const recent = new RecentBytes();
  let opened: Opened | undefined;
  const partsOf = ({ andon, queue, once, announce }: AppSite): VaultContext => {
    if (!opened) throw new Error("the vault is not open");
    return { andon, ...opened, recent, queue, once, announce };
  };
  return defineApp({
    name: "vault",
    settings: VAULT_SETTINGS,
    migrations: new URL("../migrations/", import.meta.url),
    permissions: VAULT_PERMISSIONS,
    errors: VAULT_ERRORS,
    async open(host) {
      opened = await openPlaces(options, host);
      await scheduleHousekeeping(host.andon);
    },
    async close() {
      await opened?.cache.close();
      await opened?.nas.close();
    },
    queues: (site) => ({
      [SYNC_QUEUE]: nasSyncQueue(partsOf(site)),
      [VAULT_QUEUE]: housekeepingQueue(partsOf(site)),
      [DRIFT_QUEUE]: driftQueue(partsOf(site)),
    }),
    alerts: VAULT_ALERTS,
    queueAliases: { "/admin/queue": SYNC_QUEUE },
    prepare: async (site) => {
      const vault = partsOf(site);
      await saveSyncRules(vault);
      await recogniseAtStart(vault.nas);
    },
    routes: VAULT_ROUTES,
    serve: (site) => serveVault(partsOf(site)),
    ready: (site) => placesReady(partsOf(site)),
    buckets: { [BUCKET]: (site, object, signal) => readObject(partsOf(site), object, signal) },
  });
}

async function openPlaces(
  options: VaultOptions,
  { andon, settings, data, language }: AppHost,
): Promise<Opened> {
  const given = settings as GivenSettings;
  const { cache, nas } = { ...placesOf(given, data), ...options };
  const own = { language, ...given.vault, ...options };
  const names = placeNames(typeof nas === "string" ? nas : "");
  const vault: VaultSettings = {
    nas: typeof nas === "string" ? nasAddress(nas) : nas.place,
    trashKeep: own.trashKeep ?? 30 * DAY,
    maxUploadSize: own.maxUploadSize ?? Number.POSITIVE_INFINITY,
    caseInsensitive: own.caseInsensitive ?? names.caseInsensitive,
    windowsNames: own.windowsNames ?? names.windowsNames,
    language: own.language,
  };
  const openCache = await storageAt(cache, { marker: false });
  const openNas = await storageAt(nas, { marker: true });
  return { cache: openCache, nas: new KnownNas(openNas, andon.store, vault.nas), settings: vault };
}

function serveVault(vault: VaultContext): ServeAll<typeof VAULT_ROUTES> {
  const { store } = vault.andon;
  return {
    folders: serveFolders(vault),
    files: {
      ...serveFiles(vault),
      syncStatus: async (call) => {
        return syncStatus(vault, await callerFor(store, call, "file"), call.params.id, call.language);
      },
    },
    trash: { list: (call) => listTrash(store, ownerOf(call), call.query) },
    syncQueue: serveSyncQueue(vault),
    drift: serveDrift(vault),
  };
}

function storageAt(place: string | Storage, options: { marker: boolean }): Promise<Storage> | Storage {
  return typeof place === "string" ? openStorage(place, options) : place;
}
