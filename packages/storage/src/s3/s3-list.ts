import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { isOwn, namesOf } from "../names.ts";
import type { EntryKind, Listed } from "../storage.ts";
import type { Bucket } from "./bucket.ts";

/** Walks the keys below a folder, page by page. Folders that are only implied by their contents are listed too. */
export async function* listObjects(
  bucket: Bucket,
  folder: string,
  recursive: boolean,
): AsyncGenerator<Listed> {
  const start = bucket.keyOf(folder === "" ? "" : `${folder}/`);
  // The keys of a folder are adjacent in the listing, so only the folders of the last key must be remembered.
  let told: string[] = [];
  let page: string | undefined;
  do {
    const answer = await bucket.client.send(
      new ListObjectsV2Command({
        Bucket: bucket.name,
        Prefix: start,
        ...(recursive ? {} : { Delimiter: "/" }),
        ...(page === undefined ? {} : { ContinuationToken: page }),
      }),
    );
    for (const { Prefix = "" } of answer.CommonPrefixes ?? [])
      yield folderEntry(bucket.pathOf(Prefix).slice(0, -1));
    for (const { Key = "", Size = 0, LastModified } of answer.Contents ?? []) {
      if (Key === start) continue;
      const path = bucket.pathOf(Key);
      const folders = foldersBetween(start.slice(bucket.prefix.length), path);
      for (const implied of folders) if (!told.includes(implied)) yield folderEntry(implied);
      told = folders;
      if (!path.endsWith("/")) {
        yield { path, kind: kindOf(path), size: Size, modifiedAt: LastModified?.getTime() ?? 0 };
      }
    }
    page = answer.IsTruncated ? answer.NextContinuationToken : undefined;
  } while (page !== undefined);
}

/** The folders of a key, below the folder where the listing starts. */
function foldersBetween(start: string, path: string): string[] {
  const names = path.slice(start.length).split("/").slice(0, -1);
  return names.map((_, index) => start + names.slice(0, index + 1).join("/"));
}

/** A key can contain names that no path allows: empty names, `.` and `..`. */
function kindOf(path: string): EntryKind {
  try {
    namesOf(path);
    return isOwn(path) ? "own" : "file";
  } catch {
    return "other";
  }
}

function folderEntry(path: string): Listed {
  return { path, kind: "folder", size: 0, modifiedAt: 0 };
}
