import type { Me } from "./api/client.ts";
import { queryClient } from "./api/query-client.ts";
import type { Entered } from "./console-app.ts";
import { loadPart } from "./lazy-page.tsx";
import { type KnownRoom, ROOMS } from "./rooms.ts";
import { isAllowed, meQuery, runs } from "./session/session.ts";

/** The rooms whose code was asked for. A failed import stays failed, and is told where the room is shown. */
const loaded = new Set<KnownRoom>();

/** Asks for a room's code and for what it shows first, before it is shown. Nothing waits for it. */
export function prepareRoom(room: KnownRoom, entered: Entered): void {
  if (!mayEnter(room)) return;
  void loadCode(room);
  for (const { queryKey, queryFn } of room.asks?.(entered) ?? [])
    void queryClient.prefetchQuery({ queryKey, queryFn });
}

/**
 * The code of every room that the reader may enter, one after the other while the browser has nothing else to do. It ends at the
 * first that does not come: while the server is away, each would be one that the browser keeps as failed.
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

/** Not every browser tells when it is idle. */
const whenIdle = (then: () => void) =>
  typeof requestIdleCallback === "function" ? requestIdleCallback(then) : setTimeout(then, 100);
