import pg from "pg";
import { codeOf } from "./faults.ts";
import { cut, endOf } from "./socket.ts";

/** How a fresh connection fared: the server spoke, be it to refuse; or nobody was there. */
export type Answer = "there" | "nobody";

const NOBODY = /^E(CONN|HOST|NET|TIMEDOUT)/;

/** One cheap statement over a connection of its own. It has no time limit: whoever asks knows how long to wait for it. */
export class Question {
  readonly #client: pg.Client;

  constructor(url: string, onAnswer: (answer: Answer) => void) {
    this.#client = new pg.Client({ connectionString: url, application_name: "andon" });
    this.#client.on("error", () => {});
    void this.#ask().then((answer) => {
      void endOf(this.#client);
      onAnswer(answer);
    });
  }

  end(): void {
    cut(this.#client);
  }

  async #ask(): Promise<Answer> {
    try {
      await this.#client.connect();
      await this.#client.query("select 1");
      return "there";
    } catch (error) {
      // An error of this machine, such as too many open files, says nothing of the server: it gets the benefit of the doubt.
      const code = codeOf(error);
      return code === undefined || NOBODY.test(code) ? "nobody" : "there";
    }
  }
}
