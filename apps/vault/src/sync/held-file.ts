import { AndonError } from "@andon/contract";
import type { Store } from "@andon/engine";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import { fileLane } from "./file-operations.ts";

/** A file with the failed operation that holds it. One that was deleted for good can still be held by its last operation. */
export interface HeldFile {
  readonly file: File;
  readonly jobId: string;
}

export async function heldFile(store: Store, tenantId: string | null, fileId: string): Promise<HeldFile> {
  const [file] = await store.query<File>(`select ${FILE_COLUMNS} from files where id = $1`, [fileId]);
  if (!file || (tenantId !== null && file.tenantId !== tenantId)) throw new AndonError("FILE_NOT_FOUND");
  const { heldBy } = await fileLane(store, fileId);
  const job = heldBy === null ? undefined : await store.read.job({ id: heldBy });
  if (job?.state !== "failed" || job.keys[0] !== `file:${fileId}`) throw new AndonError("FILE_NOT_HELD");
  return { file, jobId: job.id };
}
