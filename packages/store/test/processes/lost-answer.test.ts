import { connect, createServer, type Server, type Socket } from "node:net";
import { Site } from "@andon/testkit/processes";
import pg from "pg";
import { afterEach, test } from "vitest";
import { QUEUE_LOCK_SPACE } from "../../src/statements/finish-and-claim.postgres.ts";

/*
 * A network breaks while the server executes a claim. The worker notices the break and checks which claims it holds;
 * the server does not notice, and commits the claim later. Without a remedy the job would be running under the name of
 * a live worker, with no process working on it.
 */
let site: Site | undefined;
let cable: Cable | undefined;
afterEach(async () => {
  await cable?.close();
  await site?.close();
});

test("a claim that was committed after its connection broke goes back to the line", {
  timeout: 40_000,
}, async () => {
  const place = await Site.open("postgres");
  site = place;
  cable = await Cable.lay(Number(new URL(place.url).port));
  const url = new URL(place.url);
  url.port = String(cable.port);
  const queue = "unanswered";
  const rules = { lease: 1_000, sweep: 300 };
  const [worker] = await place.spawn(1, url.href);
  await worker?.ask({ do: "work", queue, rules });
  const adder = place.andon.queue(queue, rules);
  // After its work it sleeps, and looks again only after a signal, which comes when the jobs below are there.
  await adder.add({ n: 0 });
  await place.drained(queue, 1);

  // Holding the queue's lock makes claims wait inside the server.
  const holder = new pg.Client({ connectionString: place.url });
  await holder.connect();
  await holder.query("select pg_advisory_lock($1, hashtext($2))", [QUEUE_LOCK_SPACE, queue]);
  // More jobs than two claims take, so that the late claim finds some in any order.
  const jobs = Array.from({ length: 40 }, (_, n) => ({ n: n + 1 }));
  await adder.addMany(jobs);
  const isWaiting = async () => (await holder.query(WAITING)).rows.length > 0;
  await place.until("the claim waits", isWaiting);
  cable.cut();
  await place.until("the worker reported the break", () => worker?.child.stderr.includes("told:") ?? false);
  const isBack = async () => (await holder.query(LOOKED_AGAIN)).rows.length > 0;
  await place.until("the worker checked its claims", isBack);
  await holder.query("select pg_advisory_unlock_all()");
  await holder.end();
  const isDone = async () => (await place.counts(queue)).done === jobs.length + 1;
  await place.until("every job ran", isDone, 10_000);
  await place.expectOnlyDone(queue, jobs.length + 1);
});

const WAITING = `select 1 from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;
/** The worker has checked its claims over a new connection, and waits with its next claim. */
const LOOKED_AGAIN = `${WAITING} having count(*) > 1`;

/** A network connection to the server that can be cut. */
class Cable {
  readonly #server: Server;
  readonly #ends = new Set<Socket>();

  private constructor(target: number) {
    this.#server = createServer((near) => {
      const far = connect(target, "127.0.0.1");
      near.pipe(far).pipe(near);
      for (const end of [near, far]) {
        this.#ends.add(end);
        end.on("error", () => {}).on("close", () => this.#ends.delete(end));
      }
    });
  }

  static async lay(target: number): Promise<Cable> {
    const cable = new Cable(target);
    await new Promise<void>((resolve) => cable.#server.listen(0, "127.0.0.1", resolve));
    return cable;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  cut(): void {
    for (const end of this.#ends) end.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
