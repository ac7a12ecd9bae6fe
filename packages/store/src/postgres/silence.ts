import type pg from "pg";
import { type Answer, Question } from "./question.ts";
import { cut, heardBy } from "./socket.ts";

const LOOK_MS = 1_000;
/** After so many looks without a word the server is asked, and has so many more to answer: ten seconds, as to connect. */
const ASK_AFTER = 7;
const ANSWER_WITHIN = 3;

/** Somebody who has a connection, or waits for one. */
export interface Wait {
  client: pg.PoolClient | undefined;
  heard: number;
  looks: number;
}

/**
 * Tells a server that is silent (a frozen host, a cut network) from one that is slow. Statements may take minutes, so that
 * no time limit can tell; but a server that is there answers a small question meanwhile. One timer looks how much every
 * connection in use has received; where one has received nothing for long, the server is asked over a fresh connection, and
 * if that gets no answer either, the silent connections are destroyed and their statements told so.
 *
 * Time is counted in looks: a process that was paused, or whose event loop was blocked, has only not listened.
 *
 * - listening: everybody gets a connection.
 * - silent: nobody does, until a question is answered; so that all who come are told at once and none waits ten seconds.
 */
export class Silence {
  readonly #url: string;
  readonly #waits = new Set<Wait>();
  readonly #timer: NodeJS.Timeout;
  #askAfter = ASK_AFTER;
  #question: { readonly asked: Question; looks: number } | undefined;
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
    const wait = { client: undefined, heard: 0, looks: 0 };
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
    const asked = new Question(this.#url, (answer) => {
      if (this.#question?.asked === asked) this.#hear(answer);
    });
    this.#question = { asked, looks: 0 };
  }

  #hear(answer: Answer | "none"): void {
    if (answer === "none") this.#question?.asked.end();
    this.#question = undefined;
    // Where nobody is, a new connection is refused by itself.
    this.#isSilent = answer === "none";
    for (const wait of this.#waits) {
      if (answer === "there") wait.looks = 0;
      else if (wait.looks >= ANSWER_WITHIN && wait.client) cut(wait.client, silent());
    }
  }
}

function looksInVain(wait: Wait): number {
  const heard = wait.client ? heardBy(wait.client) : 0;
  wait.looks = heard === wait.heard ? wait.looks + 1 : 0;
  wait.heard = heard;
  return wait.looks;
}

function silent(): Error {
  return new Error("connection given up, the server is silent");
}
