import type { Signal } from "@andon/engine";
import pg from "pg";
import type { Session } from "../dialect.ts";
import { compile } from "../statement.ts";
import { connectionTo } from "./address.ts";
import { PATIENCE } from "./database.ts";
import { CHANNEL } from "./dialect.ts";
import { cut, endOf } from "./socket.ts";

/** A signal need not survive a crash, so its commit does not wait for the disk. */
const notify = compile(
  `select set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', @payload)`,
  "$",
);
const RECONNECT_MS = 500;
/** A connection that only listens does not notice that nobody speaks any more, so it asks now and then. */
const ASK_EVERY_MS = 10_000;
/** NOTIFY serialises commits in the server, so adds that come close together share one; the more of them, the longer the gap. */
const SHORTEST_GAP_MS = 2;
const LONGEST_GAP_MS = 16;
const MOST_BYTES = 8_000;

/**
 * Signals between processes by LISTEN and NOTIFY. Sending is gathered: one statement carries all signals that came up
 * while the last one was under way. A lost signal delays work until the next look, it never loses it.
 */
export class Notifications {
  readonly #url: string;
  readonly #session: Session;
  readonly #deliver: (signal: Signal) => void;
  /** Marks our own notifications: this process has heard them already. */
  readonly #origin = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  readonly #pending = new Map<string, Signal>();
  #sending: Promise<void> | undefined;
  #listener: pg.Client | undefined;
  #listening = false;
  #retry: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(url: string, session: Session, deliver: (signal: Signal) => void) {
    this.#url = url;
    this.#session = session;
    this.#deliver = deliver;
  }

  send(signal: Signal): void {
    if (this.#closed) return;
    this.#pending.set(JSON.stringify(signal), signal);
    this.#sending ??= this.#flush().finally(() => {
      this.#sending = undefined;
    });
  }

  listen(): void {
    if (this.#listening || this.#closed) return;
    this.#listening = true;
    void this.#connect();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#asking);
    await this.#sending;
    if (this.#listener) await endOf(this.#listener);
  }

  async #flush(): Promise<void> {
    for (let gap = SHORTEST_GAP_MS; this.#pending.size > 0; gap = Math.min(gap * 2, LONGEST_GAP_MS)) {
      const signals = [...this.#pending.values()];
      this.#pending.clear();
      for (const payload of payloadsOf(this.#origin, signals))
        await this.#session.all(notify, { payload }).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, gap));
    }
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      ...connectionTo(this.#url),
      ...PATIENCE,
      query_timeout: PATIENCE.connectionTimeoutMillis,
      application_name: "andon-listen",
    });
    const lost = () => {
      client.removeAllListeners();
      client.on("error", () => {});
      cut(client);
      if (this.#listener !== client || this.#closed) return;
      this.#listener = undefined;
      clearInterval(this.#asking);
      this.#retry = setTimeout(() => void this.#connect(), RECONNECT_MS);
    };
    this.#listener = client;
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ payload }) => this.#receive(payload ?? ""));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      if (this.#closed) return;
      this.#asking = setInterval(() => client.query("select 1").catch(lost), ASK_EVERY_MS).unref();
      // Signals may have been missed while there was no connection.
      this.#deliver({ kind: "any" });
    } catch {
      lost();
    }
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
  "cancel",
  "operation",
  "feed",
]);
const LOOK: Signal = { kind: "any" };

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
