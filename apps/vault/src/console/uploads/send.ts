import { RefusedError } from "@andon/client";
import { language } from "@andon/console/room";
import type { Problem } from "@andon/contract";
import type { Uploaded } from "../api.ts";

export interface Sending {
  readonly file: File;
  readonly folderId: string;
  /** The idempotency key: a retry with the same key does not store a file twice. */
  readonly key: string;
  readonly onProgress: (sent: number) => void;
  /** Called when all bytes are sent and the answer is pending. */
  readonly onSent: () => void;
}

export interface Sent {
  readonly answer: Promise<Uploaded>;
  readonly abort: () => void;
}

/** Uploads one file with `XMLHttpRequest`, because `fetch` does not report the progress of an upload. */
export function send({ file, folderId, key, onProgress, onSent }: Sending): Sent {
  const request = new XMLHttpRequest();
  const form = new FormData();
  form.set("folderId", folderId);
  form.set("file", file);
  const answer = new Promise<Uploaded>((resolve, reject) => {
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size));
    request.upload.onload = onSent;
    request.onload = () => {
      if (request.status === 200) resolve(JSON.parse(request.responseText) as Uploaded);
      else reject(new RefusedError(request.status, problemIn(request)));
    };
    request.onerror = () => reject(new TypeError("the connection broke off"));
    request.onabort = () => reject(new TypeError("it was cancelled"));
  });
  request.open("POST", "/files/upload");
  request.setRequestHeader("accept-language", language());
  request.setRequestHeader("idempotency-key", key);
  request.send(form);
  return { answer, abort: () => request.abort() };
}

function problemIn(request: XMLHttpRequest): Problem | undefined {
  const isProblem = request.getResponseHeader("content-type")?.startsWith("application/problem+json");
  return isProblem ? (JSON.parse(request.responseText) as Problem) : undefined;
}
