import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SampleFile } from "@andon/app";
import type { Connection } from "@andon/cli/app";
import { RefusedError } from "@andon/client";
import { VAULT_ROUTES } from "../../contract/routes.ts";

export interface Uploaded {
  readonly name: string;
  readonly size: number;
  readonly syncQueueId: string;
}

/** Uploads a file as a browser or curl would. */
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

/** Whether exactly these bytes are in the folder of the NAS: read from the disk, not from the server. */
export async function isOnNas(nasFolder: string, { name, bytes }: SampleFile): Promise<boolean> {
  const found = await readFile(join(nasFolder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return found?.equals(bytes) ?? false;
}
