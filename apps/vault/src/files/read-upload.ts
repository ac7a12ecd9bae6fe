import { type Readable, Transform } from "node:stream";
import type { Call, UploadPart } from "@andon/app";
import { type AndonError, isAndonError, withParticle } from "@andon/contract";
import { newId } from "@andon/engine";
import { BufferedBytes, bufferIfSmall, type Fingerprint, isStorageError } from "@andon/storage";
import { cacheKey, fileOfKey } from "../cache/cache-key.ts";
import { VaultError } from "../contract/errors.ts";
import { ROOT } from "../folders/folder-row.ts";
import { checkedName } from "../names/names.ts";
import type { VaultContext } from "../vault-context.ts";
import { drainUpload } from "./drain-upload.ts";

/** A file whose bytes are in the cache, but which has no rows yet. */
export interface Received extends Fingerprint {
  readonly id: string;
  readonly cacheKey: string;
  readonly name: string;
  readonly folderId: string;
  readonly mimeType: string;
}

type FilePart = Extract<UploadPart, { kind: "file" }>;

export interface UploadReading {
  readonly vault: VaultContext;
  readonly call: Pick<Call, "parts" | "signal">;
  /** Throws if a file of this name cannot be put there. Called before more than the size of a small file is read. */
  readonly mustFit: (place: { folderId: string; name: string }) => Promise<void>;
}

/** Reads a whole upload into the cache. If it is refused or breaks off, none of its bytes stay there. */
export async function readUpload(reading: UploadReading): Promise<Received> {
  const form = reading.call.parts()[Symbol.asyncIterator]();
  let folderId: string | undefined;
  let received: Received | undefined;
  let stream: Readable | undefined;
  try {
    for (let part = await nextOf(form); part; part = await nextOf(form)) {
      stream = part.kind === "file" ? part.stream : undefined;
      if (part.name === "folderId" && part.kind === "field") {
        if (received)
          throw incomplete(
            "the field folderId comes before the file",
            "folderId 필드는 파일보다 먼저 와야 합니다",
          );
        if (folderId !== undefined)
          throw incomplete("the field folderId comes once", "folderId 필드는 한 번만 보낼 수 있습니다");
        folderId = part.value || ROOT;
      } else if (part.name === "file" && part.kind === "file") {
        if (received) throw incomplete("one file at a time", "한 번에 파일 하나만 보낼 수 있습니다");
        received = await receive(reading, folderId ?? ROOT, part);
      } else {
        throw unknownField(part.name, part.kind);
      }
    }
    if (!received)
      throw incomplete(
        "the field file is missing, or has no file name",
        "file 필드가 없거나 파일 이름이 없습니다",
      );
    return received;
  } catch (error) {
    if (received) await dropBytes(reading.vault, received.cacheKey);
    await drainUpload(form, stream);
    throw error;
  }
}

/** Bytes that cannot be removed now are found later by the clean-up of the cache. */
export async function dropBytes({ cache, recent }: VaultContext, key: string): Promise<void> {
  recent.take(fileOfKey(key));
  await cache.remove(key).catch(() => {});
}

async function receive(
  { vault, call, mustFit }: UploadReading,
  folderId: string,
  part: FilePart,
): Promise<Received> {
  const { cache, recent, settings, andon } = vault;
  const name = checkedName(part.fileName, settings);
  const now = andon.store.clock.now();
  const id = newId(now);
  const key = cacheKey(id, now);
  const most = settings.maxUploadSize;
  let bytes: Readable | undefined;
  try {
    bytes = await bufferIfSmall(part.stream, () => atMost(most));
    // A small file is read completely by now; its transaction finds out whether it fits.
    if (!(bytes instanceof BufferedBytes)) await mustFit({ folderId, name });
    else if (bytes.bytes.byteLength > most) throw new VaultError("UPLOAD_TOO_LARGE", { most });
    const stored = await cache.put(key, bytes, { temporary: `${id}-1`, signal: call.signal });
    if (bytes instanceof BufferedBytes) recent.keep(id, { cachePath: key, bytes: bytes.bytes });
    return { id, cacheKey: key, name, folderId, mimeType: mimeTypeOf(part), ...stored };
  } catch (error) {
    part.stream.unpipe();
    bytes?.destroy();
    if (isAndonError(error)) throw error;
    if (isStorageError(error))
      throw new VaultError("CACHE_FAILED", { problem: error.code }, { cause: error });
    throw brokenOff(error);
  }
}

/** Passes on at most this many bytes. Its failure does not destroy the source, so that the rest can be drained. */
function atMost(most: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.byteLength;
      if (size > most) done(new VaultError("UPLOAD_TOO_LARGE", { most }));
      else done(null, chunk);
    },
  });
}

async function nextOf(form: AsyncIterator<UploadPart>): Promise<UploadPart | undefined> {
  try {
    const { done, value } = await form.next();
    return done ? undefined : value;
  } catch (error) {
    throw isAndonError(error) ? error : brokenOff(error);
  }
}

const MIME_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

/** The type that the client gave, if it is safe in a response header. */
function mimeTypeOf({ mimeType }: FilePart): string {
  return MIME_TYPE.test(mimeType) ? mimeType : "application/octet-stream";
}

function brokenOff(cause: unknown): AndonError {
  return new VaultError(
    "UPLOAD_INCOMPLETE",
    { problem: { en: "it broke off", ko: "중간에 끊겼습니다" } },
    { cause },
  );
}

function unknownField(given: string, kind: "field" | "file"): AndonError {
  const name = JSON.stringify(given);
  return incomplete(
    `there is no field ${name} with a ${kind} in it`,
    `알 수 없는 필드 ${withParticle(name, "이(가)")} 있습니다`,
  );
}

function incomplete(en: string, ko: string): AndonError {
  return new VaultError("UPLOAD_INCOMPLETE", { problem: { en, ko } });
}
