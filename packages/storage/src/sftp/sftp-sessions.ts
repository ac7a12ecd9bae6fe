import { type SftpLimits, SftpSession } from "./sftp-session.ts";
import type { SftpAddress } from "./sftp-url.ts";

/** The most connections to one server; further work shares them. */
const MOST_SESSIONS = 4;
const IDLE_MS = 60_000;

interface Slot {
  readonly session: Promise<SftpSession>;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

export interface Borrowed {
  readonly session: SftpSession;
  giveBack(): void;
}

/**
 * The connections to a server: opened when needed, reused, closed after a while without use. A lost connection is
 * dropped, and the next caller gets a new one.
 */
export class SftpSessions {
  readonly #address: SftpAddress;
  readonly #limits: SftpLimits;
  readonly #slots = new Set<Slot>();
  readonly #closing = new AbortController();

  constructor(address: SftpAddress, limits: SftpLimits) {
    this.#address = address;
    this.#limits = limits;
  }

  /** After an abort, the server has a short time to answer the requests that are under way. */
  async use<T>(work: (session: SftpSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { session, giveBack } = await this.borrow();
    const hurry = () => session.mustAnswerSoon();
    signal?.addEventListener("abort", hurry, { once: true });
    try {
      signal?.throwIfAborted();
      return await work(session);
    } finally {
      signal?.removeEventListener("abort", hurry);
      giveBack();
    }
  }

  /** For work that lasts longer than a call, such as a stream. */
  async borrow(): Promise<Borrowed> {
    for (;;) {
      const slot = this.#leastBusy();
      slot.users++;
      clearTimeout(slot.idle);
      const session = await slot.session.catch((error) => {
        this.#slots.delete(slot);
        throw error;
      });
      if (!session.isClosed) return { session, giveBack: () => this.#giveBack(slot, session) };
      this.#slots.delete(slot);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const slot of this.#slots) await this.#end(slot);
  }

  #leastBusy(): Slot {
    let best: Slot | undefined;
    for (const slot of this.#slots) if (!best || slot.users < best.users) best = slot;
    if (best && (best.users === 0 || this.#slots.size >= MOST_SESSIONS)) return best;
    const slot: Slot = {
      session: SftpSession.connect(this.#address, this.#limits, this.#closing.signal),
      users: 0,
      idle: undefined,
    };
    this.#slots.add(slot);
    return slot;
  }

  #giveBack(slot: Slot, session: SftpSession): void {
    slot.users--;
    if (session.isClosed) this.#slots.delete(slot);
    else if (this.#closing.signal.aborted) session.end();
    else if (slot.users === 0) slot.idle = setTimeout(() => void this.#end(slot), IDLE_MS).unref();
  }

  async #end(slot: Slot): Promise<void> {
    this.#slots.delete(slot);
    clearTimeout(slot.idle);
    const session = await slot.session.catch(() => undefined);
    session?.end();
  }
}
