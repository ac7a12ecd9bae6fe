import { ROOT } from "./api.ts";

/** Separate from the API's own addresses: `/files` and `/trash` answer programs. */
const FILES = "/vault/files";

export const folderAddress = (id: string) => (id === ROOT ? FILES : `${FILES}/${encodeURIComponent(id)}`);
export const fileAddress = (id: string) => `${FILES}/file/${encodeURIComponent(id)}`;
export const driftAddress = (runId: string) => `/vault/drift?${new URLSearchParams({ run: runId })}`;
/** The findings of a comparison, of this kind or of all; without a run, those of the newest comparison. */
export const findingsAddress = (run: string | undefined, kind: string | undefined) =>
  `/vault/drift?${new URLSearchParams({ ...(run ? { run } : {}), ...(kind ? { kind } : {}) })}`;
export const HELD = "/vault/held";
export const TRASH = "/vault/trash";

/** The address of a file's bytes. */
export const contentAddress = (fileId: string) => `/files/${encodeURIComponent(fileId)}/content`;
