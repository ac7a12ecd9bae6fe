import type { Readable } from "node:stream";
import { Bytes } from "@andon/app";
import type { AndonError } from "@andon/contract";
import { isStorageError, type StorageError } from "@andon/storage";
import { VaultError } from "../contract/errors.ts";
import type { Owner } from "../owner.ts";
import type { VaultContext } from "../vault-context.ts";
import { checkedStream } from "./checked-stream.ts";
import { type File, findFile } from "./file-row.ts";

type Place = "cache" | "nas";
type Paths = Record<Place, string | null>;
/** Why each place did not provide the bytes: its error, or a wrong size or checksum. */
type Problems = Partial<Record<Place, StorageError | "SIZE_DIFFERS" | "CHECKSUM_DIFFERS">>;

/** The bytes of a file: from the cache, or from the NAS if the cache cannot provide them. */
export async function contentOf(
  vault: VaultContext,
  owner: Owner,
  id: string,
  signal: AbortSignal,
): Promise<Bytes> {
  const file = await findFile(vault.andon.store, owner, id);
  const { mimeType, size, name, sha256 } = file;
  return new Bytes({
    mimeType,
    size,
    fileName: name,
    tag: sha256,
    open: async (part) => {
      const range = part && { start: part.start, end: part.end + 1 };
      return open(vault, file, { range, signal });
    },
  });
}

/** An operation can move the bytes on the NAS between the lookup and the read; they are then looked up again. */
const MOST_LOOKS = 3;

async function open(
  vault: VaultContext,
  file: File,
  options: { range: { start: number; end: number } | undefined; signal: AbortSignal },
): Promise<Readable> {
  const problems: Problems = {};
  let looked: string | null = null;
  for (let look = 1; look <= MOST_LOOKS; look++) {
    const paths = await pathsOf(vault, file.id);
    for (const place of ["cache", "nas"] as const) {
      const path = paths[place];
      if (path === null || (look > 1 && place === "cache")) continue;
      try {
        const content = await vault[place].get(path, options);
        if (content.size !== file.size) {
          content.stream.destroy();
          problems[place] = "SIZE_DIFFERS";
          continue;
        }
        // Only this program writes to the cache, so its bytes are not checked. A part of a file has no checksum to
        // compare.
        if (place === "cache" || options.range) return content.stream;
        const checked = await checkedStream(content, file.sha256, { place: vault.nas.place, path });
        if (checked) return checked;
        problems[place] = "CHECKSUM_DIFFERS";
      } catch (error) {
        if (!isStorageError(error)) throw error;
        problems[place] = error;
      }
    }
    if (paths.nas === looked) break;
    looked = paths.nas;
  }
  throw notGiven(file, problems);
}

const AWAY = { nas: "NAS_UNREACHABLE", cache: "CACHE_UNREACHABLE" } as const;

/** The bytes count as missing only if both places answered. */
function notGiven({ id: fileId }: File, problems: Problems): AndonError {
  const codes = Object.fromEntries(
    Object.entries(problems).map(([place, problem]) => [
      place,
      isStorageError(problem) ? problem.code : problem,
    ]),
  );
  for (const place of ["nas", "cache"] as const) {
    const problem = problems[place];
    if (!isStorageError(problem) || problem.fault !== "destination") continue;
    return new VaultError(AWAY[place], { fileId, problem: problem.code, ...codes }, { cause: problem });
  }
  return new VaultError("BYTES_MISSING", { fileId, ...codes });
}

async function pathsOf({ andon }: VaultContext, fileId: string): Promise<Paths> {
  const found = await andon.store.query<{ type: "CACHE" | "NAS"; path: string | null }>(
    "select storage_type as type, path from file_storage_objects where file_id = $1",
    [fileId],
  );
  const pathIn = (type: string) => found.find((object) => object.type === type)?.path ?? null;
  return { cache: pathIn("CACHE"), nas: pathIn("NAS") };
}
