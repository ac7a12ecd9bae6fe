import type { BigIntStats, Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { isOwn } from "../names.ts";
import type { Entry, EntryKind, Listed } from "../storage.ts";
import { errnoOf, lstatIfAny } from "./folder-calls.ts";

/** Walks a folder, depth first, holding one open folder per level and no list of its entries. */
export async function* listFolder(folder: string, path: string, recursive: boolean): AsyncGenerator<Listed> {
  const directory = await opendir(folder, { encoding: "buffer" as BufferEncoding }).catch((error) => {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (!directory) return;
  for await (const found of directory as AsyncIterable<Dirent<Buffer>>) {
    const name = found.name.toString();
    const at = path === "" ? name : `${path}/${name}`;
    if (!Buffer.from(name).equals(found.name)) {
      // The name is not valid UTF-8, so nobody can ask for the entry. It is listed for callers that count entries.
      yield { path: at, kind: "other", size: 0, modifiedAt: 0 };
      continue;
    }
    const info = await lstatIfAny(join(folder, name));
    if (!info) continue;
    const entry = entryOf(at, info);
    yield { path: at, ...entry };
    if (recursive && entry.kind === "folder") yield* listFolder(join(folder, name), at, true);
  }
}

export function entryOf(path: string, info: BigIntStats): Entry {
  const kind = kindOf(path, info);
  return { kind, size: kind === "folder" ? 0 : Number(info.size), modifiedAt: Number(info.mtimeMs) };
}

function kindOf(path: string, info: BigIntStats): EntryKind {
  if (info.isDirectory()) return "folder";
  if (!info.isFile()) return "other";
  return isOwn(path) ? "own" : "file";
}
