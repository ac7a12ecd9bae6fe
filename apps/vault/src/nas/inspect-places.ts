import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Tx } from "@andon/engine";
import { isStorageError, MARKER, openStorage, type Storage, StorageError } from "@andon/storage";
import { markOf, rememberedMark } from "./nas-identity.ts";

/** The addresses of the vault's two places. */
interface Places {
  readonly cache: string;
  readonly nas: string;
}

interface PlaceInspection {
  /** The name of the place in messages. Contains no secrets. */
  readonly place: string;
  /** Why the place cannot be written to; undefined if it can. */
  readonly problem: StorageError | undefined;
  /** The free bytes; undefined if the place is unreachable or does not report them. */
  readonly free: number | undefined;
}

export interface CacheInspection extends PlaceInspection {
  /** Whether the folder is missing because the first start has not created it yet. */
  readonly isNew: boolean;
}

export interface NasInspection extends PlaceInspection {
  /**
   * `ours`: the marker that the store remembers. `other`: another marker. `unremembered`: a marker, but the store has
   * never known this NAS. `missing`: no marker, but the store remembers one. `none`: neither; the first start creates
   * the marker. `unknown`: the place cannot be read, and `problem` gives the reason.
   */
  readonly mark: "ours" | "other" | "unremembered" | "missing" | "none" | "unknown";
  /** The number of entries in its root, at most a thousand; undefined if the root cannot be read. */
  readonly entries: number | undefined;
}

/** A place that hangs, like an unreachable share, counts as unreachable after this time. */
const LONGEST_LOOK_MS = 5_000;
const MOST_ENTRIES = 1_000;

/**
 * Inspects the places from this machine, without a vault. Creates no folder and no marker. `rows` is undefined if the
 * store has no tables yet.
 */
export async function inspectPlaces(
  { cache, nas }: Places,
  rows: Pick<Tx, "query"> | undefined,
): Promise<{ cache: CacheInspection; nas: NasInspection }> {
  const remembered = rows && (await rememberedMark(rows, nas));
  const [ofCache, ofNas, bare] = await Promise.all([lookAt(cache, false), lookAt(nas, true), bareNas(nas)]);
  const isNew = rows === undefined && isStorageError(ofCache.problem, "NOT_MOUNTED");
  return {
    cache: { ...ofCache, isNew },
    nas: { ...ofNas, mark: markState(bare.mark, remembered), entries: bare.entries },
  };
}

function markState(found: string | undefined, remembered: string | undefined): NasInspection["mark"] {
  if (found === undefined) return "unknown";
  if (found === "") return remembered === undefined ? "none" : "missing";
  if (remembered === undefined) return "unremembered";
  return found === remembered ? "ours" : "other";
}

async function lookAt(url: string, marker: boolean): Promise<PlaceInspection> {
  const { place, answer, problem } = await asked(url, marker, async (storage) => {
    const health = await storage.health();
    if (!health.ok) throw health.problem;
    return { free: await storage.freeSpace() };
  });
  return { place, problem, free: answer?.free };
}

/** Reads the root, with or without a marker; a missing root has no marker. */
async function bareNas(url: string): Promise<{ mark: string | undefined; entries: number | undefined }> {
  const { answer, problem } = await asked(url, false, async (storage) => ({
    mark: await markOf(storage),
    entries: await countEntries(storage),
  }));
  return answer ?? { mark: isStorageError(problem, "NOT_MOUNTED") ? "" : undefined, entries: undefined };
}

interface Asked<T> {
  readonly place: string;
  readonly answer: T | undefined;
  readonly problem: StorageError | undefined;
}

async function asked<T>(
  url: string,
  marker: boolean,
  ask: (storage: Storage) => Promise<T>,
): Promise<Asked<T>> {
  const storage = await openStorage(url, { marker, existing: true });
  const { place } = storage;
  try {
    if (url.startsWith("file:")) await within(place, touched(place));
    return { place, answer: await within(place, ask(storage)), problem: undefined };
  } catch (error) {
    if (!isStorageError(error)) throw error;
    return { place, answer: undefined, problem: error };
  } finally {
    await storage.close();
  }
}

/**
 * A hanging share blocks the thread that reads it, and a blocked thread keeps its process from exiting. So a child process reads
 * it first. Its result does not matter, only that it returns.
 */
async function touched(folder: string): Promise<void> {
  const options = { stdio: "ignore", timeout: LONGEST_LOOK_MS, killSignal: "SIGKILL" } as const;
  const child = spawn(process.execPath, ["-e", TOUCH, join(folder, MARKER)], options);
  child.unref();
  const [, signal] = (await once(child, "exit")) as [number | null, string | null];
  if (signal !== null) throw new StorageError("TIMED_OUT", { place: folder });
}

const TOUCH = 'require("node:fs").readFileSync(process.argv[1])';

async function countEntries(storage: Storage): Promise<number> {
  let count = 0;
  for await (const { kind } of storage.list("")) {
    // The marker, and the temporary file of the check itself, do not count.
    if (kind !== "own") count++;
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
