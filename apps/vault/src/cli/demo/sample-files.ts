import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "@andon/cli/app";
import { RefusedError } from "@andon/client";
import { VAULT_ROUTES } from "../../contract/routes.ts";

export interface SampleFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const KB = 1024;
const file = (name: string, size: number): SampleFile => ({ name, bytes: randomBytes(size) });

/** Files of the story, made anew each time: what lies on the NAS in the end can only have come from here. */
export function sampleFiles(): { first: readonly SampleFile[]; later: readonly SampleFile[] } {
  return {
    first: [file("계약서.pdf", 180 * KB), file("report.docx", 64 * KB), file("사진 01.jpg", 320 * KB)],
    later: [file("invoice.csv", 12 * KB), file("도면.dwg", 540 * KB), file("minutes.md", 3 * KB)],
  };
}

export interface Uploaded {
  readonly name: string;
  readonly size: number;
  readonly syncQueueId: string;
}

/** Uploads as a browser or curl would. */
export async function upload(connection: Connection, { name, bytes }: SampleFile): Promise<Uploaded> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)]), name);
  const { method, path, answer } = VAULT_ROUTES.files.upload;
  const response = await connection.fetch(new URL(path, connection.url), {
    method,
    headers: { authorization: `Bearer ${connection.token()}`, "accept-language": connection.language },
    body: form,
  });
  if (!response.ok) throw await RefusedError.of(response);
  return answer.parse(await response.json());
}

/** Whether exactly these bytes lie in the folder of the NAS: looked up on the disk, not asked of the server. */
export async function isOnNas(nasFolder: string, { name, bytes }: SampleFile): Promise<boolean> {
  const found = await readFile(join(nasFolder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return found?.equals(bytes) ?? false;
}
