import { ROOT } from "./api.ts";

/** Beside the API's own addresses: `/files` and `/trash` answer programs. */
const FILES = "/vault/files";

export const folderAddress = (id: string) => (id === ROOT ? FILES : `${FILES}/${encodeURIComponent(id)}`);
export const fileAddress = (id: string) => `${FILES}/file/${encodeURIComponent(id)}`;
export const driftAddress = (runId: string) => `/vault/drift?${new URLSearchParams({ run: runId })}`;
/** What a comparison has found, of this kind or of all; of the newest one where none is named. */
export const findingsAddress = (run: string | undefined, kind: string | undefined) =>
  `/vault/drift?${new URLSearchParams({ ...(run ? { run } : {}), ...(kind ? { kind } : {}) })}`;
export const HELD = "/vault/held";
export const TRASH = "/vault/trash";

/** Where the browser gets the bytes. */
export const contentAddress = (fileId: string) => `/files/${encodeURIComponent(fileId)}/content`;
