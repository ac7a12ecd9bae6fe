import type { Readable } from "node:stream";
import { fingerprintOf, MeteredSource } from "../metered-source.ts";
import { temporaryName, writableNamesOf } from "../names.ts";
import { OneAtATime } from "../one-at-a-time.ts";
import { keptInPart, OTHER_BYTES, otherSize } from "../reasons.ts";
import type { Expected, Fingerprint, PutOptions } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import { statusOf } from "./webdav-client.ts";
import type { WebdavFolders } from "./webdav-folders.ts";
import { readOverWebdav } from "./webdav-read.ts";
import { isNowhere, type WebdavRoot } from "./webdav-root.ts";

const BYTES = "bytes";

/**
 * Sends the bytes into a temporary folder beside the target, verifies their size, and only then moves them to their name. A file
 * alone would not do: a server may give it its name when all bytes have come, and then a claim whose temporary was removed
 * would make it anew. Into a folder that is gone nothing can be put.
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
      isStored = await nameWithoutOverwriting(root, bytes, path).catch(goneOr);
      if (!isStored) await mustBeSame(root, path, metered.fingerprint, signal);
    } finally {
      // What failed is told below; a server that does not even let us tidy up gets the next claim's clean-up.
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

/** With the checksum known beforehand, an earlier run's file is recognised without sending everything again. */
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

/** Only a failed put of the same claim that could not tidy up leaves a temporary. */
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

const lookedUp = new OneAtATime();

/**
 * Gives a file another name and never overwrites: answers false where something else has that name. A server looks before it
 * moves (`Overwrite: F`), and a common one is not alone between the two, so within this process it is one at a time.
 */
export async function nameWithoutOverwriting(
  root: WebdavRoot,
  from: readonly string[],
  to: string,
): Promise<boolean> {
  const target = root.at(...writableNamesOf(to));
  return await lookedUp.run(root.client.urlOf(target), async () => {
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

/** For what is ours alone: a server removes a folder with all that is in it. */
export async function removeTree(root: WebdavRoot, names: readonly string[]): Promise<void> {
  try {
    await root.client.do({ method: "DELETE", names, isFolder: true });
  } catch (error) {
    if (!isNowhere(error)) throw error;
  }
}

/** What a server answers where the folder was removed under a request differs: Apache has 500 for it. */
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
