import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { CONCERNS, concernsOf, type Topic } from "./event-types.ts";

/**
 * One stream of events for the whole page.
 *
 *   connecting → live ⇄ reconnecting      the stream, and cuts by the browser or the server
 *   any → paused → connecting             a pause by the reader
 *   asking ⇄ paused                       a key that may not read events: the pages poll
 *
 * Queries that events make stale are refetched at most twice a second. A hidden tab closes its connection after a
 * while, because a browser has only six connections for one server.
 */
export type LiveState =
  | { readonly kind: "connecting" | "live" | "asking" | "paused" }
  | { readonly kind: "reconnecting"; readonly since: number };

export interface LiveEvent {
  readonly type: string;
  readonly at: string;
  readonly queue?: string;
  readonly jobId?: string;
  readonly [name: string]: unknown;
}

const REFRESH_MS = 500;
const COME_BACK_MS = 2_000;
const HIDDEN_MS = 60_000;

let state: LiveState = { kind: "connecting" };
let stream: EventSource | undefined;
let client: QueryClient | undefined;
let mayListen = true;
let comeBack: ReturnType<typeof setTimeout> | undefined;
let refresh: ReturnType<typeof setTimeout> | undefined;
const stale = new Set<Topic>();
const readers = new Set<() => void>();
const listeners = new Set<(event: LiveEvent) => void>();

/** The browser cannot tell a refused stream from a broken one, so the stream is not opened for a key that may not read events. */
export function startLive(queries: QueryClient, isAllowed: boolean): () => void {
  client = queries;
  mayListen = isAllowed;
  connect();
  document.addEventListener("visibilitychange", followVisibility);
  return () => {
    document.removeEventListener("visibilitychange", followVisibility);
    disconnect();
  };
}

export function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function pauseLive(): void {
  disconnect();
  become({ kind: "paused" });
}

export function resumeLive(): void {
  become({ kind: "connecting" });
  connect();
  void client?.invalidateQueries();
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => state,
  );
}

function become(next: LiveState): void {
  state = next;
  for (const read of readers) read();
}

function connect(): void {
  disconnect();
  if (!mayListen) {
    become({ kind: "asking" });
    return;
  }
  stream = new EventSource("/events");
  stream.onopen = () => {
    const wasDown = state.kind === "reconnecting";
    become({ kind: "live" });
    if (wasDown) void client?.invalidateQueries();
  };
  stream.onerror = () => {
    if (state.kind !== "reconnecting") {
      become({ kind: "reconnecting", since: Date.now() });
      // The end of the session closes the stream too: fetching the caller tells the two cases apart.
      void client?.invalidateQueries({ queryKey: ["me"] });
    }
    if (stream?.readyState === EventSource.CLOSED) comeBack = setTimeout(connect, COME_BACK_MS);
  };
  for (const type of Object.keys(CONCERNS)) {
    stream.addEventListener(type, (message) => receive(JSON.parse(message.data) as LiveEvent));
  }
}

function disconnect(): void {
  clearTimeout(comeBack);
  stream?.close();
  stream = undefined;
}

function receive(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
  for (const topic of concernsOf(event)) stale.add(topic);
  if (refresh !== undefined) return;
  refresh = setTimeout(() => {
    refresh = undefined;
    for (const topic of stale) void client?.invalidateQueries({ queryKey: [topic] });
    stale.clear();
  }, REFRESH_MS);
}

let hiding: ReturnType<typeof setTimeout> | undefined;

function followVisibility(): void {
  clearTimeout(hiding);
  if (state.kind === "paused") return;
  if (document.hidden) hiding = setTimeout(disconnect, HIDDEN_MS);
  else if (!stream) resumeLive();
}
