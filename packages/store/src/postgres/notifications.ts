import type { Signal } from "@andon/engine";
import type pg from "pg";
import { compile } from "../statement.ts";
import type { PostgresDatabase } from "./database.ts";
import { CHANNEL, WORKER_LOCK_SPACE } from "./dialect.ts";

/** A signal need not survive a crash, so its commit does not wait for the disk. */
const notify = compile(
  `select set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', @payload),
  (select count(*) from andon_workers) as workers`,
  "$",
);
const LISTEN = `listen ${CHANNEL}`;
/** A shared lock: two workers may have the same hash. */
const LOCK_PRESENCE = `select pg_advisory_lock_shared(${WORKER_LOCK_SPACE}, hashtext($1))`;
const LOOK: Signal = { kind: "any" };
const RECONNECT_MS = 500;
/**
 * The times between two notifications. NOTIFY serialises commits in the server, so adds in quick succession share one; the more
 * of them, the longer the gap. A notification wakes every worker, and each takes two transactions for it: so the gap grows with
 * the workers too.
 */
const SHORTEST_GAP = { ms: 2, msPerWorker: 0.5 };
const LONGEST_GAP = { ms: 16, msPerWorker: 2 };
/** However many workers there are: a request to abort waits for its notification too. */
const LIMIT_OF_GAPS_MS = 100;
const MOST_BYTES = 8_000;
/** An add that is at least this long after the last one notifies with its own commit. */
const APART_MS = 4;
/** How long the number of workers is taken to be the same. */
const COUNT_IS_VALID_MS = 10_000;

/**
 * Signals between processes by LISTEN and NOTIFY. Signals are batched: one statement sends all that accumulated while
 * the last one was running. A lost signal delays work until the next look; no work is lost.
 *
 * Everything uses the one connection of the pulse, which is open anyway, so an idle process needs no other.
 */
export class Notifications {
  readonly #pulse: PostgresDatabase;
  readonly #deliver: (signal: Signal) => void;
  /** Marks our own notifications: this process has delivered them already. */
  readonly #origin = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  readonly #pending = new Map<string, Signal>();
  /** Workers for which this connection holds a lock: the lock shows other processes that they are connected. */
  readonly #workers = new Set<string>();
  #sending: Promise<void> | undefined;
  #toldAt = 0;
  /** How many workers a notification wakes, and when that was counted: with each notification. */
  #woken = 0;
  #countedAt = Number.NEGATIVE_INFINITY;
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
   * The payload that an add may send with its own commit, or null if the signal must be sent afterwards: NOTIFY
   * serialises commits, so this is only for adds with some time between them.
   */
  noticeOf(signal: Signal): string | null {
    const now = performance.now();
    const isApart = now - this.#toldAt >= Math.max(APART_MS, this.#gap(SHORTEST_GAP));
    this.#toldAt = now;
    const isCounted = now - this.#countedAt < COUNT_IS_VALID_MS;
    if (!isApart || !isCounted || this.#sending || this.#closed) return null;
    return JSON.stringify({ from: this.#origin, signals: [signal] });
  }

  listen(): void {
    if (this.#listening || this.#closed) return;
    this.#listening = true;
    void this.#listen();
  }

  /** Takes a session lock, which needs no transaction id: while it is held the worker counts as connected. */
  async lockWorkerPresence(worker: string): Promise<void> {
    this.#workers.add(worker);
    await this.#pulse.reader.raw(LOCK_PRESENCE, [worker]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#sending;
  }

  async #flush(): Promise<void> {
    for (let factor = 1; this.#pending.size > 0; factor *= 2) {
      const signals = [...this.#pending.values()];
      this.#pending.clear();
      for (const payload of payloadsOf(this.#origin, signals)) await this.#notify(payload);
      const gap = Math.min(factor * this.#gap(SHORTEST_GAP), this.#gap(LONGEST_GAP));
      await new Promise((resolve) => setTimeout(resolve, gap));
    }
  }

  async #notify(payload: string): Promise<void> {
    const rows = await this.#pulse.reader.all<{ workers: number }>(notify, { payload }).catch(() => []);
    this.#woken = rows[0]?.workers ?? this.#woken;
    this.#countedAt = performance.now();
  }

  #gap({ ms, msPerWorker }: typeof SHORTEST_GAP): number {
    return Math.min(Math.max(ms, this.#woken * msPerWorker), LIMIT_OF_GAPS_MS);
  }

  /** Prepares every connection of the pulse, the first and its successors. */
  #attend(client: pg.ClientBase): void {
    client.on("notification", ({ payload }) => this.#receive(payload ?? ""));
    client.once("end", () => this.#comeBack());
    // Sent before the connection's first use, so that no later commit goes unnoticed.
    for (const worker of this.#workers) client.query(LOCK_PRESENCE, [worker]).catch(() => {});
    if (this.#listening)
      client.query(LISTEN).then(
        () => this.#deliver(LOOK),
        () => {},
      );
  }

  async #listen(): Promise<void> {
    try {
      await this.#pulse.reader.raw(LISTEN, []);
      // Signals may have been lost while there was no connection.
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

/** As few payloads as possible: PostgreSQL refuses a notification of 8,000 bytes. */
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

/**
 * Anyone who can connect can notify the channel, as can another version of Andon: a payload that is not understood
 * means "look".
 */
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
