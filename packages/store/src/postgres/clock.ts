import type { Clock } from "@andon/engine";
import type { Session } from "../dialect.ts";
import { compile } from "../statement.ts";

const databaseTime = compile("select (extract(epoch from clock_timestamp()) * 1000)::bigint as now", "$");

/**
 * The database's time, kept by this machine's monotonic clock: all workers agree on it, and a step of one machine's
 * wall clock moves nothing.
 */
export class DatabaseClock implements Clock {
  readonly #session: Session;
  readonly #local: Clock;
  #offset = 0;

  private constructor(session: Session, local: Clock) {
    this.#session = session;
    this.#local = local;
  }

  static async open(session: Session, local: Clock): Promise<DatabaseClock> {
    const clock = new DatabaseClock(session, local);
    await clock.sync();
    return clock;
  }

  async sync(): Promise<void> {
    const sent = this.#local.monotonic();
    const [row] = await this.#session.all<{ now: number }>(databaseTime, {});
    const middle = (sent + this.#local.monotonic()) / 2;
    if (row) this.#offset = row.now - middle;
  }

  now(): number {
    return Math.round(this.#local.monotonic() + this.#offset);
  }

  monotonic(): number {
    return this.#local.monotonic();
  }

  after(ms: number, callback: () => void): () => void {
    return this.#local.after(ms, callback);
  }
}
