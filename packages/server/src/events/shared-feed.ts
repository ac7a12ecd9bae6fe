import type { FeedEvent } from "@andon/contract";
import type { Andon, WatchOptions } from "@andon/engine";

type Filter = Pick<WatchOptions, "queue" | "tenant" | "organization">;

const MOST_AT_ONCE = 500;
/** A reader that is further behind reads for itself again, and keeps nothing in memory meanwhile. */
const MOST_WAITING = 1_000;

/**
 * The feed, read once for all readers with the same filter: a thousand streams cost one read per event and not a thousand. A
 * reader that is behind reads for itself until it has caught up.
 */
export class SharedFeed {
  readonly #andon: Andon;
  readonly #tails = new Map<string, Tail>();

  constructor(andon: Andon) {
    this.#andon = andon;
  }

  async *follow(filter: Filter, after: number, signal: AbortSignal): AsyncGenerator<FeedEvent, void> {
    let last = after;
    while (!signal.aborted) {
      const place = (await this.#tailOf(filter)).join();
      const leave = () => place.end();
      signal.addEventListener("abort", leave);
      try {
        while (last < place.begins && !signal.aborted) {
          const events = await this.#andon.store.read.events(last, MOST_AT_ONCE, filter);
          for (const event of events) yield event;
          last = events.at(-1)?.id ?? place.begins;
        }
        for (let event = await place.next(); event; event = await place.next()) {
          if (event.id <= last) continue;
          last = event.id;
          yield event;
        }
        if (place.isOver) return;
      } finally {
        signal.removeEventListener("abort", leave);
        place.leave();
      }
    }
  }

  async #tailOf(filter: Filter): Promise<Tail> {
    const name = JSON.stringify(filter);
    const known = this.#tails.get(name);
    if (known) return known;
    const begins = await this.#andon.store.read.lastEventId();
    const made = this.#tails.get(name);
    if (made) return made;
    const tail = new Tail(begins, () => this.#tails.delete(name));
    this.#tails.set(name, tail);
    void tail.run(this.#andon, filter);
    return tail;
  }
}

/** The end of the feed, as one filter shows it. It is read while somebody follows it. */
class Tail {
  #last: number;
  readonly #places = new Set<Place>();
  readonly #ended = new AbortController();
  readonly #onEnd: () => void;

  constructor(begins: number, onEnd: () => void) {
    this.#last = begins;
    this.#onEnd = onEnd;
  }

  join(): Place {
    const place = new Place(this.#last, (left) => {
      this.#places.delete(left);
      if (this.#places.size === 0) this.#end();
    });
    this.#places.add(place);
    return place;
  }

  async run(andon: Andon, filter: Filter): Promise<void> {
    let problem: unknown;
    try {
      for await (const event of andon.watch({ ...filter, after: this.#last, signal: this.#ended.signal })) {
        this.#last = event.id;
        for (const place of this.#places) place.push(event);
      }
    } catch (error) {
      problem = error;
    }
    const isAbandoned = this.#ended.signal.aborted;
    this.#end();
    for (const place of this.#places) place.close(isAbandoned ? undefined : { problem });
  }

  /** Whoever comes later gets a new one. */
  #end(): void {
    this.#onEnd();
    this.#ended.abort();
  }
}

/** One reader's place at the end of the feed: what was read and not yet taken. */
class Place {
  /** Everything after this id comes here. */
  readonly begins: number;
  /** Whether the feed itself has ended, so that following it again gives nothing. */
  isOver = false;
  #problem: unknown;
  #waiting: FeedEvent[] = [];
  #isClosed = false;
  #wake = () => {};
  readonly #onLeave: (place: Place) => void;

  constructor(begins: number, onLeave: (place: Place) => void) {
    this.begins = begins;
    this.#onLeave = onLeave;
  }

  push(event: FeedEvent): void {
    if (this.#isClosed) return;
    this.#waiting.push(event);
    if (this.#waiting.length > MOST_WAITING) this.end();
    this.#wake();
  }

  /** The next event; undefined where none comes to this place any more. Those of a reader that fell behind are dropped. */
  async next(): Promise<FeedEvent | undefined> {
    while (!this.#isClosed && this.#waiting.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#problem !== undefined) throw this.#problem;
    return this.#isClosed ? undefined : this.#waiting.shift();
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
