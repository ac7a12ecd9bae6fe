import type pg from "pg";
import { type Answer, type Reached, ServerPing } from "./server-ping.ts";
import { backendOf, bytesReceived, bytesSent, destroyConnection, isOwedAnswer } from "./socket.ts";

const LOOK_MS = 1_000;
/**
 * After this many looks without received data the server is pinged, and has this many looks to answer: ten seconds
 * together, the same as the limit for connecting.
 */
const ASK_AFTER = 7;
const ANSWER_WITHIN = 3;

/** A caller that has a connection or waits for one. */
export interface Wait {
  client: pg.PoolClient | undefined;
  received: number;
  /** Looks in a row at which nothing had been received. */
  looks: number;
  sent: number;
  /** Looks in a row at which nothing had been sent either, while an answer was outstanding. */
  owed: number;
  /** The server reported this connection's backend as idle. */
  isDoubted: boolean;
}

/**
 * Tells a server that does not respond (a frozen host, a cut network) from one that is slow. Statements may take
 * minutes, so a time limit cannot tell; but a live server answers a ping meanwhile. A timer checks how much every
 * connection in use has received. If one has received nothing for long, the server is pinged over a fresh connection;
 * if that gets no answer either, the silent connections are destroyed and their statements fail.
 *
 * A firewall may also drop one connection while others work. So the ping asks what the server does for each connection
 * whose answer is long outstanding. If it is active or waits for a lock, it may take as long as it takes. If it is idle
 * twice, with nothing sent or received in between, only that connection is destroyed.
 *
 * Time is counted in looks of the timer: a process that was paused, or whose event loop was blocked, could not receive
 * anything.
 *
 * - listening: every caller gets a connection.
 * - silent: no caller gets one until a ping is answered, so that callers fail at once instead of after ten seconds.
 */
export class ConnectionWatchdog {
  readonly #url: string;
  readonly #waits = new Set<Wait>();
  readonly #timer: NodeJS.Timeout;
  #askAfter = ASK_AFTER;
  #question: { readonly asked: ServerPing; looks: number } | undefined;
  #isSilent = false;

  constructor(url: string) {
    this.#url = url;
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Every `begin` needs an `end`. Throws if the server is known to be silent. */
  begin(): Wait {
    if (this.#isSilent) throw silent();
    const wait = { client: undefined, received: 0, looks: 0, sent: 0, owed: 0, isDoubted: false };
    this.#waits.add(wait);
    return wait;
  }

  end(wait: Wait): void {
    this.#waits.delete(wait);
  }

  /** A caller waits for running statements to end: detects a dead server sooner. */
  hurry(): void {
    this.#askAfter = 1;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#question?.asked.end();
  }

  #look(): void {
    let longest = 0;
    for (const wait of this.#waits) longest = Math.max(longest, looksInVain(wait));
    const isDoubted = this.#isSilent || longest >= this.#askAfter;
    if (!this.#question && isDoubted) this.#ask();
    else if (this.#question && ++this.#question.looks >= ANSWER_WITHIN) this.#settle("none");
  }

  #ask(): void {
    const backends = [...this.#waits].flatMap((wait) => this.#overdueFrom(wait) ?? []);
    const asked = new ServerPing(this.#url, backends, (answer) => {
      if (this.#question?.asked === asked) this.#settle(answer);
    });
    this.#question = { asked, looks: 0 };
  }

  /** The backend whose answer is long outstanding. */
  #overdueFrom({ client, owed }: Wait): number | undefined {
    return client && owed >= this.#askAfter ? (backendOf(client) ?? undefined) : undefined;
  }

  #settle(answer: Answer | "none"): void {
    if (answer === "none") this.#question?.asked.end();
    this.#question = undefined;
    // If no server listens at the address, a new connection is refused at once anyway.
    this.#isSilent = answer === "none";
    for (const wait of this.#waits) {
      if (typeof answer === "object") this.#judge(wait, answer);
      else if (wait.looks >= ANSWER_WITHIN && wait.client) destroyConnection(wait.client, silent());
    }
  }

  /** A connection is doubted for as long as a silent server gets to answer, and then checked again. */
  #judge(wait: Wait, { idle }: Reached): void {
    const backend = this.#overdueFrom(wait);
    const isIdle = backend !== undefined && idle.has(backend) && !hasStirred(wait);
    const isOver = wait.isDoubted && wait.owed >= this.#askAfter + ANSWER_WITHIN;
    if (isIdle && isOver && wait.client) destroyConnection(wait.client, dropped());
    wait.isDoubted = isIdle;
    wait.looks = isIdle ? this.#askAfter - ANSWER_WITHIN : 0;
  }
}

function looksInVain(wait: Wait): number {
  const received = wait.client ? bytesReceived(wait.client) : 0;
  const isOwed = wait.client !== undefined && isOwedAnswer(wait.client) && !hasStirred(wait);
  wait.owed = isOwed ? wait.owed + 1 : 0;
  wait.isDoubted &&= isOwed;
  wait.looks = received === wait.received ? wait.looks + 1 : 0;
  wait.received = received;
  wait.sent = wait.client ? bytesSent(wait.client) : 0;
  return wait.looks;
}

/** Whether anything has been sent or received since the last look. */
function hasStirred({ client, received, sent }: Wait): boolean {
  return client !== undefined && (bytesReceived(client) !== received || bytesSent(client) !== sent);
}

function silent(): Error {
  return new Error("connection destroyed: the server does not answer");
}

function dropped(): Error {
  return new Error("connection destroyed: it no longer carries data");
}
