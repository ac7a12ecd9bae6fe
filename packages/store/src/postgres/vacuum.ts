import type { Session } from "../dialect.ts";

/** Small tables that every job passes through: their dead rows are what a claim has to step over. */
const HOT_TABLES = "andon_ready, andon_running, andon_tallies, andon_timers";
/** Every connection plans its statements again after a vacuum: at every 10,000 jobs that was a twentieth of the server's time. */
const EVERY_JOBS = 30_000;
/** A claim of one job steps over as many dead rows as one of five hundred, so small requests are vacuumed after earlier. */
const EVERY_REQUESTS = 1_000;

/**
 * Vacuums the hot tables as this process works. The server's own vacuum looks once a minute, and in a minute of full
 * load a claim would have a hundred thousand dead rows to step over.
 */
export class Vacuum {
  readonly #session: Session;
  #jobs = 0;
  #requests = 0;
  #underWay = false;

  constructor(session: Session) {
    this.#session = session;
  }

  count(done: number, claimed: number): void {
    if (done + claimed === 0) return;
    this.#jobs += done;
    this.#requests++;
    if ((this.#jobs < EVERY_JOBS && this.#requests < EVERY_REQUESTS) || this.#underWay) return;
    this.#jobs = 0;
    this.#requests = 0;
    this.#underWay = true;
    void this.#vacuum();
  }

  /** Without the right to vacuum, or while another process does, the server's own vacuum has to do. */
  async #vacuum(): Promise<void> {
    await this.#session.raw(`vacuum (skip_locked) ${HOT_TABLES}`, []).catch(() => {});
    this.#underWay = false;
  }
}
