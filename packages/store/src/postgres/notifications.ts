import type { Signal } from "@andon/engine";
import type pg from "pg";
import { compile } from "../statement.ts";
import type { PostgresDatabase } from "./database.ts";
import { CHANNEL, WORKER_LOCK_SPACE } from "./dialect.ts";

/** A signal need not survive a crash, so its commit does not wait for the disk. */
const notify = compile(
  `select set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', @payload)`,
  "$",
);
const LISTEN = `listen ${CHANNEL}`;
/** Shared: two workers may have the same hash. */
const STAND_FOR = `select pg_advisory_lock_shared(${WORKER_LOCK_SPACE}, hashtext($1))`;
const LOOK: Signal = { kind: "any" };
const RECONNECT_MS = 500;
/** NOTIFY serialises commits in the server, so adds that come close together share one; the more of them, the longer the gap. */
const SHORTEST_GAP_MS = 2;
const LONGEST_GAP_MS = 16;
const MOST_BYTES = 8_000;
/** Adds that come further apart than this tell of themselves. */
const APART_MS = 4;

/**
 * Signals between processes by LISTEN and NOTIFY. Sending is gathered: one statement carries all signals that came up
 * while the last one was under way. A lost signal delays work until the next look, it never loses it.
 *
 * All of it goes over the one connection of the pulse, which is open anyway: a process at rest needs no other for it.
 */
export class Notifications {
  readonly #pulse: PostgresDatabase;
  readonly #deliver: (signal: Signal) => void;
  /** Marks our own notifications: this process has heard them already. */
  readonly #origin = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  readonly #pending = new Map<string, Signal>();
  /** Workers whose connection this is: the lock tells the others that it stands. */
  readonly #workers = new Set<string>();
  #sending: Promise<void> | undefined;
  #toldAt = 0;
  #listening = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(pulse: PostgresDatabase, deliver: (signal: Signal) => void) {
    this.#pulse = pulse;
    this.#deliver = deliver;
    pulse.onConnect((client) => this.#attend(client));
  }

  get isListening(): boolean {
    return this.#listening;
  }

  send(signal: Signal): void {
    if (this.#closed) return;
    this.#pending.set(JSON.stringify(signal), signal);
    this.#sending ??= this.#flush().finally(() => {
      this.#sending = undefined;
    });
  }

  /**
   * What an add may tell with its own commit, where nothing else was told for a while: NOTIFY serialises commits. Null: it is to be
   * sent afterwards.
   */
  noticeOf(signal: Signal): string | null {
    const now = performance.now();
    const isApart = now - this.#toldAt >= APART_MS;
    this.#toldAt = now;
    if (!isApart || this.#sending || this.#closed) return null;
    return JSON.stringify({ from: this.#origin, signals: [signal] });
  }

  listen(): void {
    if (this.#listening || this.#closed) return;
    this.#listening = true;
    void this.#listen();
  }

  /** A lock of the session, which takes no transaction id: while it is held the worker is connected. */
  async standFor(worker: string): Promise<void> {
    this.#workers.add(worker);
    await this.#pulse.reader.raw(STAND_FOR, [worker]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#sending;
  }

  async #flush(): Promise<void> {
    for (let gap = SHORTEST_GAP_MS; this.#pending.size > 0; gap = Math.min(gap * 2, LONGEST_GAP_MS)) {
      const signals = [...this.#pending.values()];
      this.#pending.clear();
      for (const payload of payloadsOf(this.#origin, signals))
        await this.#pulse.reader.all(notify, { payload }).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, gap));
    }
  }

  /** Every connection of the pulse, the first one and those that follow it. */
  #attend(client: pg.ClientBase): void {
    client.on("notification", ({ payload }) => this.#receive(payload ?? ""));
    client.once("end", () => this.#comeBack());
    // Before whatever it was opened for: nothing that is committed after that goes unheard.
    for (const worker of this.#workers) client.query(STAND_FOR, [worker]).catch(() => {});
    if (this.#listening)
      client.query(LISTEN).then(
        () => this.#deliver(LOOK),
        () => {},
      );
  }

  async #listen(): Promise<void> {
    try {
      await this.#pulse.reader.raw(LISTEN, []);
      // Signals may have been missed while there was no connection.
      if (!this.#closed) this.#deliver(LOOK);
    } catch {
      this.#comeBack();
    }
  }

  #comeBack(): void {
    clearTimeout(this.#retry);
    if (this.#closed || !this.#listening) return;
    this.#retry = setTimeout(() => void this.#listen(), RECONNECT_MS);
  }

  #receive(payload: string): void {
    const { from, signals } = messageOf(payload);
    if (from === this.#origin) return;
    for (const signal of signals) this.#deliver(signal);
  }
}

interface Message {
  readonly from: string;
  readonly signals: readonly Signal[];
}

/** In as few as PostgreSQL carries: it refuses a notification of 8,000 bytes. */
function* payloadsOf(from: string, signals: readonly Signal[]): Generator<string> {
  const payload = JSON.stringify({ from, signals });
  if (signals.length === 1 || Buffer.byteLength(payload) < MOST_BYTES) return yield payload;
  const half = signals.length >> 1;
  yield* payloadsOf(from, signals.slice(0, half));
  yield* payloadsOf(from, signals.slice(half));
}

const KINDS: ReadonlySet<string> = new Set<Signal["kind"]>([
  "any",
  "timer",
  "schedule",
  "work",
  "busy",
  "cancel",
  "operation",
  "feed",
]);

/** Anybody who may connect can notify the channel, also another version of ours: what is not understood means "look". */
function messageOf(payload: string): Message {
  try {
    const message = JSON.parse(payload) as Partial<Message> | null;
    if (Array.isArray(message?.signals)) {
      const signals: unknown[] = message.signals;
      return { from: String(message.from), signals: signals.map(understood) };
    }
  } catch {
    // Not JSON.
  }
  return { from: "", signals: [LOOK] };
}

function understood(signal: unknown): Signal {
  const { kind } = (signal ?? {}) as Partial<Signal>;
  return kind !== undefined && KINDS.has(kind) ? (signal as Signal) : LOOK;
}
