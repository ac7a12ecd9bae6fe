import pg from "pg";
import { connectionTo } from "./address.ts";
import { codeOf } from "./faults.ts";
import { backendOf, cut, endOf } from "./socket.ts";

/** How a fresh connection fared: nobody was there; or the server spoke, be it to refuse. */
export type Answer = "nobody" | Reached;

export interface Reached {
  /** Those of the backends asked about that are gone, or have nothing to do until we speak or listen. */
  readonly idle: ReadonlySet<number>;
}

const NOBODY = /^E(CONN|HOST|NET|TIMEDOUT)/;

/**
 * Behind a pooler the numbers are not the server's, which shows in the number of the one who asks: then nothing is said of
 * the others. A backend that is active may still wait for us, for the rest of a statement or to be rid of its answer.
 */
const IDLE = `select asked.pid from unnest($1::int[]) as asked(pid)
left join pg_stat_activity a on a.pid = asked.pid
where pg_backend_pid() = $2::int
  and (a.pid is null or a.state like 'idle%' or a.wait_event in ('ClientRead', 'ClientWrite'))`;

/** One cheap statement over a connection of its own. It has no time limit: whoever asks knows how long to wait for it. */
export class ServerPing {
  readonly #client: pg.Client;
  readonly #backends: readonly number[];

  constructor(url: string, backends: readonly number[], onAnswer: (answer: Answer) => void) {
    this.#backends = backends;
    this.#client = new pg.Client({ ...connectionTo(url), application_name: "andon" });
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
      const values = [this.#backends, backendOf(this.#client)];
      const { rows } = await this.#client.query<{ pid: number }>(IDLE, values);
      return { idle: new Set(rows.map((row) => row.pid)) };
    } catch (error) {
      // An error of this machine, such as too many open files, says nothing of the server: it gets the benefit of the doubt.
      const code = codeOf(error);
      return code === undefined || NOBODY.test(code) ? "nobody" : { idle: new Set() };
    }
  }
}
