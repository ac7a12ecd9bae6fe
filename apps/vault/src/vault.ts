import { type Language, VAULT_ROUTES } from "@andon/contract";
import { type App, type AppSite, defineApp, type ServeAll } from "@andon/engine";
import { openStorage, type Storage } from "@andon/storage";
import { RecentBytes } from "./cache/recent-bytes.ts";
import { callerFor, tenantOf } from "./caller.ts";
import { driftQueue } from "./drift/drift-queue.ts";
import { serveDrift } from "./drift/serve-drift.ts";
import { serveFiles } from "./files/serve-files.ts";
import { serveFolders } from "./folders/serve-folders.ts";
import { housekeepingQueue, scheduleHousekeeping } from "./housekeeping.ts";
import { KnownNas } from "./nas/known-nas.ts";
import { nasAddress } from "./nas/nas-identity.ts";
import { placesReady } from "./nas/ready.ts";
import { DRIFT_QUEUE, SYNC_QUEUE, VAULT_QUEUE, type VaultParts, type VaultSettings } from "./parts.ts";
import { serveSyncQueue } from "./sync/serve-sync-queue.ts";
import { nasSyncQueue } from "./sync/sync-queue.ts";
import { keepSyncRules } from "./sync/sync-rules.ts";
import { syncStatus } from "./sync/sync-status.ts";
import { listTrash } from "./trash/list-trash.ts";

export interface VaultOptions {
  /** Where uploaded bytes lie first: an address such as `file:data/cache` or `s3://bucket/prefix`, or a storage that is open. */
  readonly cache: string | Storage;
  /** The NAS that follows: an address, or a storage that is open. */
  readonly nas: string | Storage;
  /** How long the trash keeps things, in milliseconds. Default: 30 days. */
  readonly trashKeep?: number;
  /** The largest file, in bytes. Default: no limit. */
  readonly maxUploadSize?: number;
  /** Whether the NAS takes `a` and `A` for the same name, as Windows shares do. Default: false. */
  readonly caseInsensitive?: boolean;
  /** Whether names that Windows and SMB refuse are refused. Default: false. */
  readonly windowsNames?: boolean;
  /** The language of what is stored for people to read, such as why an operation failed. Default: `ko`. */
  readonly language?: Language;
}

const DAY = 86_400_000;

/** Files and folders, a cache, and a NAS that follows. Each value is for one host: it holds the places it has opened. */
export function vaultApp(options: VaultOptions): App<typeof VAULT_ROUTES> {
  const settings = settingsOf(options);
  const recent = new RecentBytes();
  let places: Pick<VaultParts, "cache" | "nas"> | undefined;
  const partsOf = ({ andon, queue, once }: AppSite): VaultParts => {
    if (!places) throw new Error("the vault is not open");
    return { andon, ...places, recent, settings, queue, once };
  };
  return defineApp({
    name: "vault",
    migrations: new URL("../migrations/", import.meta.url),
    async open(andon) {
      const cache = await opened(options.cache, { marker: false });
      const nas = await opened(options.nas, { marker: true });
      places = { cache, nas: new KnownNas(nas, andon.store, settings.nas) };
      await scheduleHousekeeping(andon);
    },
    async close() {
      await places?.cache.close();
      await places?.nas.close();
    },
    queues: (site) => ({
      [SYNC_QUEUE]: nasSyncQueue(partsOf(site)),
      [VAULT_QUEUE]: housekeepingQueue(partsOf(site)),
      [DRIFT_QUEUE]: driftQueue(partsOf(site)),
    }),
    prepare: (site) => keepSyncRules(partsOf(site)),
    routes: VAULT_ROUTES,
    serve: (site) => serveVault(partsOf(site)),
    ready: (site) => placesReady(partsOf(site)),
  });
}

function serveVault(parts: VaultParts): ServeAll<typeof VAULT_ROUTES> {
  const { store } = parts.andon;
  return {
    folders: serveFolders(parts),
    files: {
      ...serveFiles(parts),
      syncStatus: async (call) => {
        const { tenantId } = await callerFor(store, call, "file");
        return syncStatus(parts, tenantId, call.params.id);
      },
    },
    trash: { list: (call) => listTrash(store, tenantOf(call), call.query) },
    syncQueue: serveSyncQueue(parts),
    drift: serveDrift(parts),
  };
}
function opened(place: string | Storage, options: { marker: boolean }): Promise<Storage> | Storage {
  return typeof place === "string" ? openStorage(place, options) : place;
}

function settingsOf(options: VaultOptions): VaultSettings {
  return {
    nas: typeof options.nas === "string" ? nasAddress(options.nas) : options.nas.place,
    trashKeep: options.trashKeep ?? 30 * DAY,
    maxUploadSize: options.maxUploadSize ?? Number.POSITIVE_INFINITY,
    caseInsensitive: options.caseInsensitive ?? false,
    windowsNames: options.windowsNames ?? false,
    language: options.language ?? "ko",
  };
}
