import { setTimeout as sleep } from "node:timers/promises";
import type { FeedEvent } from "@andon/contract";
import { type Store, type WatchOptions, watchReads } from "@andon/engine";

type Scope = Pick<WatchOptions, "tenant" | "organization">;
type Filter = Scope & Pick<WatchOptions, "queue">;
/** Events that readers receive together. Readers of one queue receive the same list object, so that it is serialized once. */
type Events = readonly FeedEvent[];

const MOST_AT_ONCE = 500;
/** A reader that is further behind reads from the store itself, and keeps nothing in memory meanwhile. */
const MOST_WAITING = 1_000;
/**
 * How long the feed rests after each read, per reader. With it, socket writes take a few percent of this process for any
 * number of readers and events. Without it, an operator's decision beside 100 readers took twice as long.
 */
const REST_PER_READER_MS = 2;
const LONGEST_REST_MS = 500;

/**
 * The feed, read once for all readers with the same scope: a thousand streams cost one read per rest, not a thousand per
 * event. A reader that is behind reads from the store itself until it has caught up.
 */
export class SharedFeed {
  readonly #store: Store;
  readonly #tails = new Map<string, FeedTail>();

  constructor(store: Store) {
    this.#store = store;
  }

  async *follow(filter: Filter, after: number, signal: AbortSignal): AsyncGenerator<Events, void> {
    const { queue, ...scope } = filter;
    let last = after;
    while (!signal.aborted) {
      const buffer = (await this.#tailOf(scope)).join(queue);
      const leave = () => buffer.end();
      signal.addEventListener("abort", leave);
      try {
        while (last < buffer.begins && !signal.aborted) {
          const events = await this.#store.read.events(last, MOST_AT_ONCE, filter);
          if (events.length > 0) yield events;
          last = events.at(-1)?.id ?? buffer.begins;
        }
        for (let events = await buffer.next(); events; events = await buffer.next()) {
          const news = eventsAfter(events, last);
          last = events.at(-1)?.id ?? last;
          if (news.length > 0) yield news;
        }
        if (buffer.isOver) return;
      } finally {
        signal.removeEventListener("abort", leave);
        buffer.leave();
      }
    }
  }

  async #tailOf(scope: Scope): Promise<FeedTail> {
    const name = JSON.stringify(scope);
    const known = this.#tails.get(name);
    if (known) return known;
    const begins = await this.#store.read.lastEventId();
    const made = this.#tails.get(name);
    if (made) return made;
    const tail = new FeedTail(begins, () => this.#tails.delete(name));
    this.#tails.set(name, tail);
    void tail.run(this.#store, scope);
    return tail;
  }
}

function eventsAfter(events: Events, id: number): Events {
  return (events[0]?.id ?? 0) > id ? events : events.filter((event) => event.id > id);
}

/** The end of the feed for one scope. It is read while at least one reader follows it. */
class FeedTail {
  #last: number;
  readonly #buffers = new Set<ReaderBuffer>();
  readonly #ended = new AbortController();
  readonly #onEnd: () => void;

  constructor(begins: number, onEnd: () => void) {
    this.#last = begins;
    this.#onEnd = onEnd;
  }

  join(queue: string | undefined): ReaderBuffer {
    const buffer = new ReaderBuffer(this.#last, queue, (left) => {
      this.#buffers.delete(left);
      if (this.#buffers.size === 0) this.#end();
    });
    this.#buffers.add(buffer);
    return buffer;
  }

  async run(store: Store, scope: Scope): Promise<void> {
    const { signal } = this.#ended;
    let problem: unknown;
    try {
      for await (const events of watchReads(store, { ...scope, after: this.#last, signal })) {
        this.#last = events.at(-1)?.id ?? this.#last;
        this.#handOut(events);
        const rest = Math.min(LONGEST_REST_MS, this.#buffers.size * REST_PER_READER_MS);
        // The signal only shortens the rest.
        await sleep(rest, undefined, { ref: false, signal }).catch(() => {});
      }
    } catch (error) {
      problem = error;
    }
    const isAbandoned = signal.aborted;
    this.#end();
    for (const buffer of this.#buffers) buffer.close(isAbandoned ? undefined : { problem });
  }

  #handOut(events: Events): void {
    const ofQueues = new Map<string | undefined, Events>([[undefined, events]]);
    for (const buffer of this.#buffers) {
      const { queue } = buffer;
      const own = ofQueues.get(queue) ?? events.filter((event) => event.queue === queue);
      ofQueues.set(queue, own);
      if (own.length > 0) buffer.push(own);
    }
  }

  /** A later reader gets a new tail. */
  #end(): void {
    this.#onEnd();
    this.#ended.abort();
  }
}

/** One reader's buffer at the end of the feed: events that were read and not yet taken. */
class ReaderBuffer {
  /** Every event after this id is pushed here. */
  readonly begins: number;
  /** The only queue whose events are pushed here; undefined: all queues. */
  readonly queue: string | undefined;
  /** Whether the feed itself has ended, so that joining it again gives nothing. */
  isOver = false;
  #problem: unknown;
  #waiting: Events[] = [];
  #count = 0;
  #isClosed = false;
  #wake = () => {};
  readonly #onLeave: (buffer: ReaderBuffer) => void;

  constructor(begins: number, queue: string | undefined, onLeave: (buffer: ReaderBuffer) => void) {
    this.begins = begins;
    this.queue = queue;
    this.#onLeave = onLeave;
  }

  push(events: Events): void {
    if (this.#isClosed) return;
    this.#waiting.push(events);
    this.#count += events.length;
    if (this.#count > MOST_WAITING) this.end();
    this.#wake();
  }

  /** The next events; undefined once the buffer is closed. Events of a reader that fell behind are dropped. */
  async next(): Promise<Events | undefined> {
    while (!this.#isClosed && this.#waiting.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#problem !== undefined) throw this.#problem;
    if (this.#isClosed) return undefined;
    const events = this.#waiting.shift();
    this.#count -= events?.length ?? 0;
    return events;
  }

  end(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#wake();
  }

  close(ended: { problem: unknown } | undefined): void {
    this.isOver = ended !== undefined;
    this.#problem = ended?.problem;
    this.end();
  }

  leave(): void {
    this.#onLeave(this);
  }
}
