import { blockReloadWhile, onAnotherReader, queryClient } from "@andon/console/room";
import { useSyncExternalStore } from "react";
import { type Sent, send } from "./send.ts";
import { Speed } from "./speed.ts";

/**
 * The files that this page uploads. They continue while the reader visits other pages of the console.
 *
 *   waiting → sending → storing → done
 *   waiting | sending → cancelled
 *   sending | storing → failed → waiting      retried by hand
 */
type UploadState = "waiting" | "sending" | "storing" | "done" | "failed" | "cancelled";

export interface Upload {
  readonly key: string;
  readonly file: File;
  readonly folderId: string;
  /** The folder's path, for display. */
  readonly place: string;
  readonly state: UploadState;
  readonly sent: number;
  /** Bytes per second. */
  readonly speed: number;
  /** The id of the stored file. */
  readonly fileId?: string;
  readonly error?: unknown;
}

/** A browser opens six connections to one server, and the page itself needs some. */
const AT_ONCE = 3;

const ENDED: ReadonlySet<UploadState> = new Set(["done", "failed", "cancelled"]);
const hasEnded = ({ state }: Pick<Upload, "state">) => ENDED.has(state);

let uploads: readonly Upload[] = [];
const sendings = new Map<string, Sent>();
const readers = new Set<() => void>();

export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => uploads,
  );
}

export function addUploads(files: readonly File[], folder: { id: string; path: string }): void {
  const added = files.map((file) => ({
    key: newKey(),
    file,
    folderId: folder.id,
    place: folder.path,
    state: "waiting" as const,
    sent: 0,
    speed: 0,
  }));
  become([...uploads, ...added]);
  startNext();
}

export function cancelUpload(key: string): void {
  change(key, { state: "cancelled", speed: 0 });
  sendings.get(key)?.abort();
}

export function tryAgain(key: string): void {
  change(key, { state: "waiting", sent: 0, speed: 0, error: undefined });
  startNext();
}

/** A failed upload stays until the reader retries or dismisses it: nothing else shows that the file is missing. */
export const canBeCleared = ({ state }: Upload) => state === "done" || state === "cancelled";

export function clearFinished(): void {
  become(uploads.filter((upload) => !canBeCleared(upload)));
}

export function dismissUpload(key: string): void {
  become(uploads.filter((upload) => upload.key !== key));
}

function startNext(): void {
  const next = uploads.find(({ state }) => state === "waiting");
  if (!next || sendings.size >= AT_ONCE) return;
  void run(next);
  startNext();
}

async function run({ key, file, folderId }: Upload): Promise<void> {
  const speed = new Speed();
  speed.at(performance.now(), 0);
  change(key, { state: "sending" });
  const sending = send({
    file,
    folderId,
    key,
    onProgress: (sent) => change(key, { sent, speed: speed.at(performance.now(), sent) }),
    onSent: () => change(key, { state: "storing", sent: file.size, speed: 0 }),
  });
  sendings.set(key, sending);
  try {
    const { fileId } = await sending.answer;
    change(key, { state: "done", fileId, sent: file.size });
    void queryClient.invalidateQueries({ queryKey: ["vault"] });
  } catch (error) {
    change(key, { state: "failed", error, speed: 0 });
  } finally {
    sendings.delete(key);
    startNext();
  }
}

/** A cancelled upload stays cancelled, whatever its request still reports. */
function change(key: string, changes: Omit<Partial<Upload>, "error"> & { error?: unknown }): void {
  become(
    uploads.map((upload) =>
      upload.key === key && upload.state !== "cancelled" ? { ...upload, ...changes } : upload,
    ),
  );
}

function become(next: readonly Upload[]): void {
  uploads = next;
  for (const read of readers) read();
}

/** `crypto.randomUUID` exists only on pages with TLS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

addEventListener("beforeunload", (event) => {
  if (uploads.some((upload) => !hasEnded(upload))) event.preventDefault();
});

blockReloadWhile(() => !uploads.every(canBeCleared));

onAnotherReader(() => {
  for (const { abort } of sendings.values()) abort();
  become([]);
});
