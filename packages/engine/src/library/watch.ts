import { type FeedEvent, isAndonError, type Scope } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import { isNarrow } from "../scope.ts";
import { lookedUp, narrowedTo } from "./checked-argument.ts";

const MOST_AT_ONCE = 500;
const LATEST_LOOK_MS = 1_000;

export interface WatchOptions {
  /** Only this queue. Default: all. */
  queue?: string | undefined;
  /** Only what this tenant may see. Default: everything. */
  tenant?: string | undefined;
  /** Only what this organisation of the tenant may see. Default: all of the tenant. */
  organization?: string | undefined;
  /** Go on after this event id. Default: from now on. */
  after?: number | undefined;
  /** Ends the watch. */
  signal?: AbortSignal | undefined;
}

/** A closed store ends the watch without an error; a store that is unavailable returns no events for now. */
function whenNotRead(store: Store, error: unknown, after: number) {
  if (isAndonError(error, "CLOSED")) return undefined;
  if (store.isUnavailable(error)) return { events: [], upTo: after };
  throw error;
}

/**
 * The next events, and the id up to which the feed was read: without it, a watcher of a quiet queue would scan the
 * events of all other queues again at every read. Ids follow the order of commits, so a read that starts after
 * `lastEventId` has returned contains every event up to that id.
 */
async function readOn(store: Store, after: number, queue: string | undefined, scope: Scope) {
  const isPart = queue !== undefined || isNarrow(scope);
  const last = isPart ? await store.read.lastEventId() : after;
  const events = await store.read.events(after, MOST_AT_ONCE, { queue, ...scope });
  return { events, upTo: Math.max(after, last) };
}

/** Follows the feed: every stop, hold, failure, decision and progress; completions summed per queue and second. */
export async function* watch(store: Store, options: WatchOptions = {}): AsyncGenerator<FeedEvent, void> {
  for await (const events of watchReads(store, options)) yield* events;
}

/**
 * Like `watch`, but yields all events of one read together. The feed is read again when the caller asks for the next
 * ones.
 */
export async function* watchReads(
  store: Store,
  options: WatchOptions = {},
): AsyncGenerator<readonly FeedEvent[], void> {
  const { queue, signal } = options;
  const scope = narrowedTo(options);
  if (queue !== undefined) lookedUp("queue", queue);
  let after = options.after ?? (await store.read.lastEventId());
  let look = () => {};
  const off = store.onSignal((heard) => {
    if (heard.kind === "feed" || heard.kind === "any") look();
  });
  const onAbort = () => look();
  signal?.addEventListener("abort", onAbort);
  try {
    while (!signal?.aborted) {
      // Listening starts before the read, so that an event committed in between ends the wait.
      const news = new Promise<void>((resolve) => {
        look = resolve;
      });
      const from = after;
      const read = await readOn(store, from, queue, scope).catch((error: unknown) =>
        whenNotRead(store, error, from),
      );
      if (!read) return;
      const { events } = read;
      const last = events.at(-1);
      if (last) {
        after = last.id;
        yield events;
        continue;
      }
      after = read.upTo;
      const cancel = store.clock.after(LATEST_LOOK_MS, look);
      await news;
      cancel();
    }
  } finally {
    off();
    signal?.removeEventListener("abort", onAbort);
  }
}
