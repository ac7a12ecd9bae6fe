import type { Attributes, FileEntryWithStats } from "ssh2";
import { isOwn } from "../names.ts";
import type { Entry, EntryKind, Listed } from "../storage.ts";
import type { SftpSession } from "./sftp-session.ts";
import { STATUS, statusOf } from "./sftp-status.ts";

/** Walks a folder, depth first, holding one open folder per level and one page of its entries. */
export async function* listOverSftp(
  session: SftpSession,
  folder: string,
  path: string,
  recursive: boolean,
): AsyncGenerator<Listed> {
  const handle = await session.openFolder(folder).catch((error) => {
    if (statusOf(error) === STATUS.NO_SUCH_FILE) return undefined;
    throw error;
  });
  if (!handle) return;
  try {
    for (;;) {
      const page = await session.readFolder(handle);
      if (!page) return;
      for (const { filename, attrs } of page) {
        if (filename === "." || filename === "..") continue;
        const at = path === "" ? filename : `${path}/${filename}`;
        const entry = isName(filename) ? entryOf(at, attrs) : NO_TEXT;
        yield { path: at, ...entry };
        if (recursive && entry.kind === "folder") {
          yield* listOverSftp(session, `${folder === "/" ? "" : folder}/${filename}`, at, true);
        }
      }
    }
  } finally {
    await session.close(handle).catch(() => {});
  }
}

/**
 * The name is not valid UTF-8 or not a name at all, so nobody can ask for the entry. It is listed for callers that
 * count entries.
 */
const NO_TEXT: Entry = { kind: "other", size: 0, modifiedAt: 0 };

function isName(filename: string): boolean {
  return filename !== "" && !/[/\0\ufffd]/.test(filename);
}

/** The file type bits of a POSIX mode. */
const TYPE = 0o170000;
const FOLDER = 0o040000;
const FILE = 0o100000;

export function entryOf(
  path: string,
  { mode, size, mtime }: Attributes | FileEntryWithStats["attrs"],
): Entry {
  const kind = kindOf(path, mode & TYPE);
  return { kind, size: kind === "folder" ? 0 : size, modifiedAt: mtime * 1000 };
}

function kindOf(path: string, type: number): EntryKind {
  if (type === FOLDER) return "folder";
  if (type !== FILE) return "other";
  return isOwn(path) ? "own" : "file";
}
