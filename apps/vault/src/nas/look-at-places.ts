import type { Tx } from "@andon/engine";
import { isStorageError, MARKER, openStorage, type Storage, StorageError } from "@andon/storage";
import { markOf, rememberedMark } from "./nas-identity.ts";

/** Addresses of the vault's two places. */
export interface Places {
  readonly cache: string;
  readonly nas: string;
}

export interface PlaceLook {
  /** What to call it in messages. It holds no secrets. */
  readonly place: string;
  /** Why it cannot be written to; undefined: it can. */
  readonly problem: StorageError | undefined;
  /** Bytes; undefined where it is away or does not know. */
  readonly free: number | undefined;
}

export interface CacheLook extends PlaceLook {
  /** Whether the folder is missing that the first start makes. */
  readonly isNew: boolean;
}

export interface NasLook extends PlaceLook {
  /**
   * `ours`: the mark that the store remembers. `other`: another one. `unremembered`: one, and the store has never known
   * this NAS. `missing`: none, and the store remembers one. `none`: neither; the first use makes it.
   */
  readonly mark: "ours" | "other" | "unremembered" | "missing" | "none";
  /** What lies in its root, up to a thousand; undefined where the root cannot be read. */
  readonly entries: number | undefined;
}

/** A place that hangs, as an unreachable share does, is taken for one that is away. */
const LONGEST_LOOK_MS = 5_000;
const MOST_ENTRIES = 1_000;

/** Looks at the places from this machine, without a vault: nothing is made or marked. `rows` is undefined where the store has no tables. */
export async function lookAtPlaces(
  { cache, nas }: Places,
  rows: Pick<Tx, "query"> | undefined,
): Promise<{ cache: CacheLook; nas: NasLook }> {
  const remembered = rows && (await rememberedMark(rows, nas));
  const [ofCache, ofNas, bare] = await Promise.all([lookAt(cache, false), lookAt(nas, true), bareNas(nas)]);
  const isNew = rows === undefined && isStorageError(ofCache.problem, "NOT_MOUNTED");
  return {
    cache: { ...ofCache, isNew },
    nas: { ...ofNas, mark: markState(bare.mark, remembered), entries: bare.entries },
  };
}

function markState(found: string, remembered: string | undefined): NasLook["mark"] {
  if (found === "") return remembered === undefined ? "none" : "missing";
  if (remembered === undefined) return "unremembered";
  return found === remembered ? "ours" : "other";
}

async function lookAt(url: string, marker: boolean): Promise<PlaceLook> {
  const storage = await openStorage(url, { marker, existing: true });
  const { place } = storage;
  try {
    const health = await within(place, storage.health());
    if (!health.ok) return { place, problem: health.problem, free: undefined };
    return { place, problem: undefined, free: await within(place, storage.freeSpace()) };
  } catch (error) {
    if (!isStorageError(error)) throw error;
    return { place, problem: error, free: undefined };
  } finally {
    await storage.close();
  }
}

/** The root as it lies there, whether it is marked or not. */
async function bareNas(url: string): Promise<{ mark: string; entries: number | undefined }> {
  const storage = await openStorage(url, { marker: false, existing: true });
  try {
    return await within(
      storage.place,
      Promise.all([markOf(storage), countEntries(storage)]).then(([mark, entries]) => ({ mark, entries })),
    );
  } catch (error) {
    if (!isStorageError(error)) throw error;
    return { mark: "", entries: undefined };
  } finally {
    await storage.close();
  }
}

async function countEntries(storage: Storage): Promise<number> {
  let count = 0;
  for await (const { path } of storage.list("")) {
    if (path !== MARKER) count++;
    if (count === MOST_ENTRIES) break;
  }
  return count;
}

async function within<T>(place: string, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StorageError("TIMED_OUT", { place })), LONGEST_LOOK_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
