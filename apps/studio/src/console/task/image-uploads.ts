import { RefusedError } from "@andon/client";
import { blockReloadWhile, language, onAnotherReader, queryClient } from "@andon/console/room";
import type { Problem } from "@andon/contract";
import { useSyncExternalStore } from "react";
import { uploadAddress } from "../api.ts";

/**
 * The image uploads of this page, by task. They continue while the reader visits other rooms.
 *
 *   sending → storing → removed             the task shows the images
 *   sending | storing → failed → sending    retried by hand
 */
export interface ImageUpload {
  readonly files: readonly File[];
  readonly state: "sending" | "storing" | "failed";
  /** From 0 to 1. */
  readonly share: number;
  readonly error?: unknown;
}

let uploads: ReadonlyMap<string, ImageUpload> = new Map();
const requests = new Map<string, XMLHttpRequest>();
const readers = new Set<() => void>();

export function useImageUpload(taskId: string): ImageUpload | undefined {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => uploads.get(taskId),
  );
}

/** Uploads images in one request, which stores all of them or none. Resolves to whether they are stored. */
export async function uploadImages(taskId: string, files: readonly File[]): Promise<boolean> {
  if (files.length === 0 || requests.has(taskId)) return false;
  set(taskId, { files, state: "sending", share: 0 });
  try {
    await send(taskId, files);
    set(taskId, undefined);
    return true;
  } catch (error) {
    set(taskId, error instanceof Stopped ? undefined : { files, state: "failed", share: 0, error });
    return false;
  } finally {
    requests.delete(taskId);
    void queryClient.invalidateQueries({ queryKey: ["studio"] });
  }
}

export function stopUpload(taskId: string): void {
  requests.get(taskId)?.abort();
}

export function dismissUpload(taskId: string): void {
  set(taskId, undefined);
}

class Stopped extends Error {}

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. */
function send(taskId: string, files: readonly File[]): Promise<void> {
  const request = new XMLHttpRequest();
  requests.set(taskId, request);
  const form = new FormData();
  for (const file of files) form.append("images", file);
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) =>
      set(taskId, { files, state: "sending", share: total > 0 ? loaded / total : 0 });
    request.upload.onload = () => set(taskId, { files, state: "storing", share: 1 });
    request.onload = () => {
      if (request.status < 300) resolve();
      else reject(new RefusedError(request.status, problemIn(request)));
    };
    request.onerror = () => reject(new TypeError("the connection broke off"));
    request.onabort = () => reject(new Stopped());
    request.open("POST", uploadAddress(taskId));
    request.setRequestHeader("accept-language", language());
    request.send(form);
  });
}

function problemIn(request: XMLHttpRequest): Problem | undefined {
  const isProblem = request.getResponseHeader("content-type")?.startsWith("application/problem+json");
  return isProblem ? (JSON.parse(request.responseText) as Problem) : undefined;
}

function set(taskId: string, upload: ImageUpload | undefined): void {
  const next = new Map(uploads);
  if (upload) next.set(taskId, upload);
  else next.delete(taskId);
  uploads = next;
  for (const read of readers) read();
}

addEventListener("beforeunload", (event) => {
  if (requests.size > 0) event.preventDefault();
});

blockReloadWhile(() => uploads.size > 0);

onAnotherReader(() => {
  for (const request of requests.values()) request.abort();
  uploads = new Map();
  for (const read of readers) read();
});
