import pg from "pg";
import { connectionTo } from "./address.ts";
import { codeOf } from "./faults.ts";
import { backendOf, destroyConnection, endOf } from "./socket.ts";

/** The outcome of a fresh connection: no server was there, or the server answered, even if it refused. */
export type Answer = "nobody" | Reached;

export interface Reached {
  /** The backends asked about that have ended, or that wait for this client. */
  readonly idle: ReadonlySet<number>;
}

const NOBODY = /^E(CONN|HOST|NET|TIMEDOUT)/;

/**
 * Behind a pooler the pids are not the server's. The pid of this connection shows that, and then no rows are returned.
 * An active backend may still wait for this client: to send the rest of a statement, or to read an answer.
 */
const IDLE = `select asked.pid from unnest($1::int[]) as asked(pid)
left join pg_stat_activity a on a.pid = asked.pid
where pg_backend_pid() = $2::int
  and (a.pid is null or a.state like 'idle%' or a.wait_event in ('ClientRead', 'ClientWrite'))`;

/** One cheap statement over its own connection. It has no time limit: the caller decides how long to wait. */
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
    destroyConnection(this.#client);
  }

  async #ask(): Promise<Answer> {
    try {
      await this.#client.connect();
      const values = [this.#backends, backendOf(this.#client)];
      const { rows } = await this.#client.query<{ pid: number }>(IDLE, values);
      return { idle: new Set(rows.map((row) => row.pid)) };
    } catch (error) {
      // An error of this machine, such as too many open files, says nothing about the server, which counts as reached.
      const code = codeOf(error);
      return code === undefined || NOBODY.test(code) ? "nobody" : { idle: new Set() };
    }
  }
}
