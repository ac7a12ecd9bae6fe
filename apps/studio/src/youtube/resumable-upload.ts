import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { StudioSettings } from "../contract/settings.ts";
import { ServiceWait } from "../phases/service-wait.ts";
import type { AccessTokens } from "./access-token.ts";
import { refusalOf, YoutubeRefused } from "./youtube-error.ts";

export interface Upload {
  readonly title: string;
  readonly description: string;
  readonly language: string;
  readonly size: number;
  /** Reads the bytes from `start` up to, but not including, `end`. */
  open(start: number, end: number): Promise<Readable>;
}

export interface UploadPorts {
  readonly settings: StudioSettings["youtube"];
  readonly tokens: AccessTokens;
  readonly signal: AbortSignal;
  /** The upload session of an earlier run, if there is one. */
  readonly session: string | undefined;
  /** Stores the session, so that another run can continue it. */
  keepSession(session: string): Promise<void>;
  onProgress(share: number): void;
  now(): number;
  /** The pause in milliseconds after the first interruption; each further one in a row doubles it. Default: half a second. */
  readonly firstPause?: number;
}

/** How many requests in a row may fail before the phase fails. */
const MOST_CUTS = 8;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Uploads a film with the resumable protocol of the Data API, and returns its YouTube id. */
export async function uploadFilm(upload: Upload, ports: UploadPorts): Promise<string> {
  const { signal, onProgress } = ports;
  let session = ports.session;
  // Undefined: asks the server how much has arrived before sending, because an earlier run or an interruption may have left
  // any number of bytes.
  let sent: number | undefined = session === undefined ? 0 : undefined;
  let furthest = 0;
  let cuts = 0;
  for (;;) {
    signal.throwIfAborted();
    try {
      if (session === undefined) {
        session = await begin(upload, ports);
        sent = 0;
        await ports.keepSession(session);
      }
      const step: Step =
        sent === undefined
          ? await status(session, upload, ports)
          : await sendChunk(session, upload, sent, ports);
      if (step.kind === "done") return step.id;
      if (step.kind === "gone") [session, sent, furthest] = [undefined, 0, 0];
      else {
        if (step.sent > furthest) cuts = 0;
        furthest = Math.max(furthest, step.sent);
        sent = step.sent;
        onProgress(sent / upload.size);
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof YoutubeRefused || error instanceof ServiceWait) throw error;
      if (++cuts > MOST_CUTS)
        throw new YoutubeRefused(`the connection was cut ${cuts} times: ${(error as Error).message}`, {
          cause: error,
        });
      sent = session === undefined ? 0 : undefined;
      const pause = (ports.firstPause ?? FIRST_PAUSE_MS) * 2 ** (cuts - 1);
      await wait(Math.min(pause, LONGEST_PAUSE_MS), undefined, { signal });
    }
  }
}

type Step =
  | { readonly kind: "done"; readonly id: string }
  | { readonly kind: "sent"; readonly sent: number }
  /** The session has expired: the upload begins anew. */
  | { readonly kind: "gone" };

async function begin({ title, description, language, size }: Upload, ports: UploadPorts): Promise<string> {
  const { uploadUrl, privacy, categoryId } = ports.settings;
  const url = new URL(uploadUrl);
  url.searchParams.set("uploadType", "resumable");
  url.searchParams.set("part", "snippet,status");
  const response = await request(ports, url.href, {
    method: "POST",
    headers: {
      "content-type": "application/json; charset=UTF-8",
      "x-upload-content-type": "video/mp4",
      "x-upload-content-length": String(size),
    },
    body: JSON.stringify({
      snippet: { title, description, categoryId, defaultLanguage: language },
      status: { privacyStatus: privacy, selfDeclaredMadeForKids: false },
    }),
  });
  if (!response.ok) throw await refusalOf(response, ports.now());
  const session = response.headers.get("location");
  await response.body?.cancel();
  if (!session) throw new YoutubeRefused("it named no address for the upload");
  return new URL(session, url).href;
}

async function status(session: string, { size }: Upload, ports: UploadPorts): Promise<Step> {
  const response = await request(ports, session, {
    method: "PUT",
    headers: { "content-length": "0", "content-range": `bytes */${size}` },
  });
  return stepOf(response, ports);
}

async function sendChunk(session: string, upload: Upload, start: number, ports: UploadPorts): Promise<Step> {
  const end = Math.min(upload.size, start + ports.settings.chunkSize);
  const body = await upload.open(start, end);
  try {
    const response = await request(ports, session, {
      method: "PUT",
      headers: {
        "content-type": "video/mp4",
        "content-length": String(end - start),
        "content-range": `bytes ${start}-${end - 1}/${upload.size}`,
      },
      body: Readable.toWeb(body),
      duplex: "half",
    } as unknown as RequestInit);
    return await stepOf(response, ports);
  } finally {
    body.destroy();
  }
}

async function stepOf(response: Response, ports: UploadPorts): Promise<Step> {
  if (response.status === 308) {
    const last = /bytes=0-(\d+)/.exec(response.headers.get("range") ?? "")?.[1];
    await response.body?.cancel();
    return { kind: "sent", sent: last === undefined ? 0 : Number(last) + 1 };
  }
  if (response.status === 404 || response.status === 410) {
    await response.body?.cancel();
    return { kind: "gone" };
  }
  if (!response.ok) throw await refusalOf(response, ports.now());
  const { id } = (await response.json()) as { id?: unknown };
  if (typeof id !== "string") throw new YoutubeRefused("it named no video");
  return { kind: "done", id };
}

/**
 * Sends one request. A refused token is discarded, and both a refused token and a server error are thrown, so that the caller
 * retries with a fresh token.
 */
async function request(
  { tokens, settings, signal }: UploadPorts,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(settings.timeout)]);
  const token = await tokens.get(limited);
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
  const response = await fetch(url, { ...init, headers, redirect: "manual", signal: limited });
  if (response.status === 401) tokens.forget();
  if (response.status === 401 || response.status >= 500) {
    await response.body?.cancel();
    throw new Error(`the server answered ${response.status}`);
  }
  return response;
}
