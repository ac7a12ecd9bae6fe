import type pg from "pg";
import { type Answer, type Reached, ServerPing } from "./server-ping.ts";
import { backendOf, cut, heardBy, isOwedAnswer, saidBy } from "./socket.ts";

const LOOK_MS = 1_000;
/** After so many looks without a word the server is asked, and has so many more to answer: ten seconds, as to connect. */
const ASK_AFTER = 7;
const ANSWER_WITHIN = 3;

/** Somebody who has a connection, or waits for one. */
export interface Wait {
  client: pg.PoolClient | undefined;
  heard: number;
  /** Looks in a row at which nothing had been heard. */
  looks: number;
  said: number;
  /** Looks in a row at which nothing had been said either, and an answer was owed. */
  owed: number;
  /** The server was seen to owe nothing. */
  isDoubted: boolean;
}

/**
 * Tells a server that is silent (a frozen host, a cut network) from one that is slow. Statements may take minutes, so that
 * no time limit can tell; but a server that is there answers a small question meanwhile. One timer looks how much every
 * connection in use has received; where one has received nothing for long, the server is asked over a fresh connection, and
 * if that gets no answer either, the silent connections are destroyed and their statements told so.
 *
 * A firewall may also drop a connection while others get through. So the server is asked what it does for each that has
 * been owed an answer for long: at work, or waiting for a lock, it may take as long as it takes. Where it is seen twice to
 * do nothing, with nothing said or heard between, that connection carries no more, and it alone is destroyed.
 *
 * Time is counted in looks: a process that was paused, or whose event loop was blocked, has only not listened.
 *
 * - listening: everybody gets a connection.
 * - silent: nobody does, until a question is answered; so that all who come are told at once and none waits ten seconds.
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

  /** Whoever begins also ends. Throws where the server is known to be silent. */
  begin(): Wait {
    if (this.#isSilent) throw silent();
    const wait = { client: undefined, heard: 0, looks: 0, said: 0, owed: 0, isDoubted: false };
    this.#waits.add(wait);
    return wait;
  }

  end(wait: Wait): void {
    this.#waits.delete(wait);
  }

  /** Somebody waits for the end of what is under way: a server that is not there is found out sooner. */
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
    else if (this.#question && ++this.#question.looks >= ANSWER_WITHIN) this.#hear("none");
  }

  #ask(): void {
    const backends = [...this.#waits].flatMap((wait) => this.#overdueFrom(wait) ?? []);
    const asked = new ServerPing(this.#url, backends, (answer) => {
      if (this.#question?.asked === asked) this.#hear(answer);
    });
    this.#question = { asked, looks: 0 };
  }

  /** The backend that has owed an answer for long. */
  #overdueFrom({ client, owed }: Wait): number | undefined {
    return client && owed >= this.#askAfter ? (backendOf(client) ?? undefined) : undefined;
  }

  #hear(answer: Answer | "none"): void {
    if (answer === "none") this.#question?.asked.end();
    this.#question = undefined;
    // Where nobody is, a new connection is refused by itself.
    this.#isSilent = answer === "none";
    for (const wait of this.#waits) {
      if (typeof answer === "object") this.#judge(wait, answer);
      else if (wait.looks >= ANSWER_WITHIN && wait.client) cut(wait.client, silent());
    }
  }

  /** A connection is doubted until a silent server would be given up, and asked about again then. */
  #judge(wait: Wait, { idle }: Reached): void {
    const backend = this.#overdueFrom(wait);
    const isIdle = backend !== undefined && idle.has(backend) && !hasStirred(wait);
    const isOver = wait.isDoubted && wait.owed >= this.#askAfter + ANSWER_WITHIN;
    if (isIdle && isOver && wait.client) cut(wait.client, dropped());
    wait.isDoubted = isIdle;
    wait.looks = isIdle ? this.#askAfter - ANSWER_WITHIN : 0;
  }
}

function looksInVain(wait: Wait): number {
  const heard = wait.client ? heardBy(wait.client) : 0;
  const isOwed = wait.client !== undefined && isOwedAnswer(wait.client) && !hasStirred(wait);
  wait.owed = isOwed ? wait.owed + 1 : 0;
  wait.isDoubted &&= isOwed;
  wait.looks = heard === wait.heard ? wait.looks + 1 : 0;
  wait.heard = heard;
  wait.said = wait.client ? saidBy(wait.client) : 0;
  return wait.looks;
}

/** Whether something has been said or heard since the last look. */
function hasStirred({ client, heard, said }: Wait): boolean {
  return client !== undefined && (heardBy(client) !== heard || saidBy(client) !== said);
}

function silent(): Error {
  return new Error("connection given up, the server is silent");
}

function dropped(): Error {
  return new Error("connection given up, it carries nothing any more");
}
