import type { Readable } from "node:stream";
import { KeyedMutex } from "../keyed-mutex.ts";
import { fingerprintOf, MeteredSource } from "../metered-source.ts";
import { temporaryName, writableNamesOf } from "../names.ts";
import { keptInPart, OTHER_BYTES, otherSize } from "../reasons.ts";
import type { Expected, Fingerprint, PutOptions } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import { statusOf } from "./webdav-client.ts";
import type { WebdavFolders } from "./webdav-folders.ts";
import { readOverWebdav } from "./webdav-read.ts";
import { isNowhere, type WebdavRoot } from "./webdav-root.ts";

const BYTES = "bytes";

/**
 * Sends the bytes into a temporary folder beside the target, verifies their size, and only then moves them to their
 * name. A temporary file alone is not safe: a server may create it only after all bytes have arrived, so a claim whose
 * temporary file was removed would create it again. Nothing can be put into a folder that was removed.
 */
export async function putOverWebdav(
  root: WebdavRoot,
  folders: WebdavFolders,
  path: string,
  source: Readable,
  options: PutOptions,
): Promise<Fingerprint> {
  const { signal } = options;
  const where = { place: root.place, path };
  const metered = new MeteredSource(source, options, where);
  try {
    const target = root.at(...writableNamesOf(path));
    await root.check();
    const already = await storedBefore(root, path, options);
    if (already) return already;
    signal?.throwIfAborted();
    const folder = target.slice(0, -1);
    const temporary = [...folder, temporaryName(options.temporary)];
    const goneOr = temporaryGone(root, temporary, path);
    const tidyUp = () => removeTree(root, temporary);
    let isStored = false;
    try {
      await folders.inMade(folder, () => claim(root, temporary));
      const bytes = [...temporary, BYTES];
      await send(root, bytes, metered, options).catch(goneOr);
      await mustBeWhole(root, path, temporary, metered.fingerprint.size);
      signal?.throwIfAborted();
      isStored = await renameWithoutOverwriting(root, bytes, path).catch(goneOr);
      if (!isStored) await mustBeSame(root, path, metered.fingerprint, signal);
    } finally {
      // The error is thrown below. If the temporary folder cannot be removed either, the next claim removes it.
      if (!isStored) await tidyUp().catch(() => {});
    }
    await tidyUp();
    return metered.fingerprint;
  } catch (error) {
    if (metered.failure) throw metered.failure.error;
    if (signal?.aborted) throw signal.reason;
    throw await root.faultOf(error, path, "writing");
  } finally {
    metered.destroy();
  }
}

/** If the checksum is known beforehand, the file of an earlier run is recognised without sending it again. */
async function storedBefore(
  root: WebdavRoot,
  path: string,
  { size, sha256, signal }: PutOptions,
): Promise<Fingerprint | undefined> {
  const found = await root.inspect(path);
  if (!found || sha256 === undefined) return undefined;
  const expected = { size: size ?? found.size ?? 0, sha256 };
  await mustBeSame(root, path, expected, signal);
  return expected;
}

/** Throws `TARGET_EXISTS` unless the file at the target is the expected one. */
export async function mustBeSame(
  root: WebdavRoot,
  path: string,
  expected: Expected,
  signal: AbortSignal | undefined,
): Promise<void> {
  const where = { place: root.place, path };
  const found = await root.inspect(path);
  if (!found || found.isFolder) throw new StorageError("TARGET_EXISTS", where);
  if (found.size !== expected.size) {
    throw new StorageError("TARGET_EXISTS", { ...where, reason: otherSize(found.size, expected.size) });
  }
  if (expected.sha256 === undefined) return;
  const { sha256 } = await fingerprintOf((await readOverWebdav(root, path, { signal })).stream);
  if (sha256 !== expected.sha256) throw new StorageError("TARGET_EXISTS", { ...where, reason: OTHER_BYTES });
}

/** Replaces an existing temporary folder: a failed put of the same claim leaves it behind if it cannot remove it. */
async function claim(root: WebdavRoot, temporary: readonly string[]): Promise<void> {
  const make = () => root.client.do({ method: "MKCOL", names: temporary, isFolder: true });
  try {
    await make();
  } catch (error) {
    if (statusOf(error) !== 405) throw error;
    await removeTree(root, temporary);
    await make();
  }
}

async function send(
  root: WebdavRoot,
  bytes: readonly string[],
  metered: MeteredSource,
  { size, signal }: PutOptions,
): Promise<void> {
  const headers = {
    "content-type": "application/octet-stream",
    ...(size === undefined ? {} : { "content-length": String(size) }),
  };
  await root.client.do({ method: "PUT", names: bytes, headers, body: metered.chunks(), signal });
}

async function mustBeWhole(
  root: WebdavRoot,
  path: string,
  temporary: readonly string[],
  expected: number,
): Promise<void> {
  const where = { place: root.place, path };
  const children = await root.children(temporary);
  if (!children) throw new StorageError("TEMPORARY_GONE", where);
  for await (const { name, resource } of children) {
    if (name === BYTES && resource.size === expected) return;
    throw new StorageError("CHECKSUM_MISMATCH", {
      ...where,
      reason: keptInPart(resource.size ?? 0, expected),
    });
  }
  throw new StorageError("TEMPORARY_GONE", where);
}

const renaming = new KeyedMutex();

/**
 * Renames a file and never overwrites: answers false if the new name is taken. With `Overwrite: F` a server looks up
 * the name before it moves, and common servers do not lock in between. So moves of this process to one name run one
 * after another.
 */
export async function renameWithoutOverwriting(
  root: WebdavRoot,
  from: readonly string[],
  to: string,
): Promise<boolean> {
  const target = root.at(...writableNamesOf(to));
  return await renaming.run(root.client.urlOf(target), async () => {
    if (await root.inspect(to)) return false;
    const headers = { destination: root.client.urlOf(target), overwrite: "F" };
    try {
      await root.client.do({ method: "MOVE", names: from, headers });
      return true;
    } catch (error) {
      if (statusOf(error) === 412) return false;
      throw error;
    }
  });
}

/** Only for folders of this program: a server removes a folder with everything in it. */
export async function removeTree(root: WebdavRoot, names: readonly string[]): Promise<void> {
  try {
    await root.client.do({ method: "DELETE", names, isFolder: true });
  } catch (error) {
    if (!isNowhere(error)) throw error;
  }
}

/**
 * Servers answer differently if the folder was removed during a request (Apache: 500), so the folder itself is looked
 * up.
 */
function temporaryGone(
  root: WebdavRoot,
  temporary: readonly string[],
  path: string,
): (error: unknown) => Promise<never> {
  return async (error) => {
    if (statusOf(error) === undefined || (await root.hasFolder(temporary))) throw error;
    throw new StorageError("TEMPORARY_GONE", { place: root.place, path }, { cause: error });
  };
}
