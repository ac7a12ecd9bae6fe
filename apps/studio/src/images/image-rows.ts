import type { Store, Tx } from "@andon/engine";

export interface ImageRow {
  readonly number: number;
  readonly source: "upload" | "url" | "title";
  readonly name: string;
  readonly url: string | null;
  readonly file: string | null;
  readonly mimeType: string | null;
  readonly size: number | null;
}

/** An image whose bytes are stored. */
export interface StoredImage extends ImageRow {
  readonly file: string;
}

export async function listImages(store: Pick<Store, "query"> | Tx, taskId: string): Promise<ImageRow[]> {
  const rows = await store.query<ImageRow>(
    `select number, source, name, url, file, mime_type as "mimeType", size from task_image where task_id = $1 order by number`,
    [taskId],
  );
  return rows.map((row) => ({
    ...row,
    number: Number(row.number),
    size: row.size === null ? null : Number(row.size),
  }));
}

export function shownImage({ file: _file, ...image }: ImageRow) {
  return image;
}

export async function addUrls(tx: Tx, taskId: string, urls: readonly string[], now: number): Promise<void> {
  for (const url of urls) await addImage(tx, taskId, { source: "url", name: nameOfUrl(url), url }, now);
}

export async function addImage(
  tx: Tx,
  taskId: string,
  image: Pick<ImageRow, "source" | "name"> & Partial<Pick<ImageRow, "url" | "file" | "mimeType" | "size">>,
  now: number,
): Promise<void> {
  const { source, name, url = null, file = null, mimeType = null, size = null } = image;
  await tx.query(
    `insert into task_image (task_id, number, source, name, url, file, mime_type, size, created_at)
     values ($1, (select coalesce(max(number), 0) + 1 from task_image where task_id = $1), $2, $3, $4, $5, $6, $7, $8)`,
    [taskId, source, name, url, file, mimeType, size, now],
  );
}

/** Removes generated and fetched images from the rows of a cancelled task, because their files are removed. */
export async function forgetMadeImages(tx: Tx, taskId: string): Promise<void> {
  await tx.query("delete from task_image where task_id = $1 and source = 'title'", [taskId]);
  await tx.query(
    "update task_image set file = null, mime_type = null, size = null where task_id = $1 and source = 'url'",
    [taskId],
  );
}

const LONGEST_NAME = 255;

/** The name of an image from the web: the last segment of its path. */
function nameOfUrl(url: string): string {
  const { pathname, hostname } = new URL(url);
  return (pathname.split("/").at(-1) || hostname).slice(0, LONGEST_NAME);
}
