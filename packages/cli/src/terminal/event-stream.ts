import { RefusedError } from "@andon/client";
import { ROUTES } from "@andon/contract";
import type { Connection } from "./connection.ts";
import { sleep } from "./sleep.ts";

export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  /** The JSON as the server sent it. */
  readonly data: string;
}

export interface FollowOptions {
  readonly queue?: string | undefined;
  /** Continue after the event with this id. */
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
  /** Called when the connection is lost, and when it is open again. */
  readonly onChange: (state: "lost" | "back") => void;
}

/** The server sends a heartbeat every 15 s. After three missed heartbeats the connection counts as lost. */
const LONGEST_SILENCE_MS = 45_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/**
 * The live feed. A lost connection is reopened after the last received event, so that no event is missed. A connection
 * that cannot be opened the first time, or is refused, is an error.
 */
export async function* followEvents(
  connection: Connection,
  options: FollowOptions,
): AsyncGenerator<StreamedEvent> {
  const { signal, onChange } = options;
  let last = options.after;
  let wait = FIRST_WAIT_MS;
  let wasOpen = false;
  let isLost = false;
  for (;;) {
    try {
      for await (const piece of openStream(connection, options, last)) {
        if (isLost) onChange("back");
        [wasOpen, isLost, wait] = [true, false, FIRST_WAIT_MS];
        if (piece.id !== undefined) last = piece.id;
        if (piece.data !== undefined)
          yield { id: piece.id ?? last ?? "", type: piece.type, data: piece.data };
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!wasOpen || (error instanceof RefusedError && error.status < 500)) throw error;
    }
    if (!isLost) onChange("lost");
    isLost = true;
    await sleep(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

interface Piece {
  readonly id: string | undefined;
  readonly type: string;
  /** Undefined for a heartbeat, or for an id without an event. */
  readonly data: string | undefined;
}

async function* openStream(
  connection: Connection,
  { queue, signal }: FollowOptions,
  last: string | undefined,
): AsyncGenerator<Piece> {
  const url = new URL(ROUTES.system.events.path, connection.url);
  if (queue !== undefined) url.searchParams.set("queue", queue);
  const end = new AbortController();
  const stop = () => end.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const watch = setTimeout(() => end.abort(new Error("no heartbeat")), LONGEST_SILENCE_MS);
  try {
    const response = await fetch(url, {
      headers: {
        authorization: `Bearer ${connection.token()}`,
        accept: "text/event-stream",
        "accept-language": connection.language,
        ...(last === undefined ? {} : { "last-event-id": last }),
      },
      signal: end.signal,
    });
    if (!response.ok || !response.body) throw await RefusedError.of(response);
    yield* pieces(bytesOf(response.body, end.signal), () => watch.refresh());
  } finally {
    clearTimeout(watch);
    signal.removeEventListener("abort", stop);
    end.abort();
  }
}

/**
 * The bytes until the body ends or the signal aborts. The signal given to `fetch` is not enough for a long stream: after the
 * request is garbage-collected, an abort does not reach the body (https://github.com/nodejs/undici/issues/3644).
 */
async function* bytesOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    signal.throwIfAborted();
    if (done) return;
    yield value;
  }
}

/** Splits a stream of server-sent events at empty lines. An incomplete event at the end is dropped. */
export async function* pieces(
  body: AsyncIterable<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<Piece> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    onBytes();
    rest += decoder.decode(bytes, { stream: true });
    const whole = rest.split(/\r?\n\r?\n/);
    rest = whole.pop() ?? "";
    for (const text of whole) yield pieceOf(text);
  }
}

function pieceOf(text: string): Piece {
  let [id, type]: [string | undefined, string] = [undefined, "message"];
  const data: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, field, value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === "id") id = value;
    else if (field === "event") type = value;
    else if (field === "data") data.push(value);
  }
  return { id, type, data: data.length > 0 ? data.join("\n") : undefined };
}
