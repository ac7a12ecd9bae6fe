import type { Clock } from "@andon/engine";
import type { Session } from "../dialect.ts";
import { compile } from "../statement.ts";

const databaseTime = compile("select (extract(epoch from clock_timestamp()) * 1000)::bigint as now", "$");

/** The database answers in whole milliseconds. */
const ROUNDING_MS = 1;

/**
 * The database's time, kept by this machine's monotonic clock. All workers agree on it, and a step of one machine's
 * wall clock changes nothing.
 */
export class DatabaseClock implements Clock {
  readonly #session: Session;
  readonly #local: Clock;
  #offset: number | undefined;

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
    if (row) this.learn(row.now, sent);
  }

  /**
   * Uses the answer `now` to a query sent at `sent` (monotonic clock). The database read its clock at some moment
   * between the two. The known offset stays if it fits that interval, and otherwise moves no further than it must: a
   * slow answer says little, and timestamps must not run backwards because of it.
   */
  learn(now: number, sent: number): void {
    const [least, most] = [now - this.#local.monotonic() - ROUNDING_MS, now - sent + ROUNDING_MS];
    const known = this.#offset ?? (least + most) / 2;
    this.#offset = Math.min(Math.max(known, least), most);
  }

  now(): number {
    return Math.round(this.#local.monotonic() + (this.#offset ?? 0));
  }

  monotonic(): number {
    return this.#local.monotonic();
  }

  after(ms: number, callback: () => void): () => void {
    return this.#local.after(ms, callback);
  }
}
