import type { Me } from "./api/client.ts";
import { queryClient } from "./api/query-client.ts";
import type { Entered } from "./console-app.ts";
import { loadPart } from "./lazy-page.tsx";
import { type KnownRoom, ROOMS } from "./rooms.ts";
import { isAllowed, meQuery, runs } from "./session/session.ts";

/** The rooms whose code was requested. A failed import stays failed, and the room itself reports it. */
const loaded = new Set<KnownRoom>();

/** Prefetches a room's code and first queries. Nothing waits for it. */
export function prepareRoom(room: KnownRoom, entered: Entered): void {
  if (!mayEnter(room)) return;
  void loadCode(room);
  for (const { queryKey, queryFn } of room.asks?.(entered) ?? [])
    void queryClient.prefetchQuery({ queryKey, queryFn });
}

/**
 * Preloads the code of every room that the reader may enter, one after the other while the browser is idle. It ends at the first
 * failure: while the server is away, the browser would remember every further import as failed.
 */
export function loadRoomsAhead(): void {
  const next = ROOMS.find((room) => !loaded.has(room) && mayEnter(room));
  if (!next) return;
  void loadCode(next).then((hasCome) => {
    if (hasCome) whenIdle(loadRoomsAhead);
  });
}

function loadCode(room: KnownRoom): Promise<boolean> {
  loaded.add(room);
  return loadPart(room.component).then(
    () => true,
    () => false,
  );
}

function mayEnter(room: KnownRoom): boolean {
  const me = queryClient.getQueryData<Me | null>(meQuery.queryKey);
  return me != null && runs(me, room) && isAllowed(me, room);
}

/** Not every browser has `requestIdleCallback`. */
const whenIdle = (then: () => void) =>
  typeof requestIdleCallback === "function" ? requestIdleCallback(then) : setTimeout(then, 100);
