import type { Session } from "../dialect.ts";

/** Small tables that every job passes through: a claim has to step over their dead rows. */
const HOT_TABLES = "andon_ready, andon_running, andon_tallies, andon_timers";
/**
 * After a vacuum every connection plans its statements again: at every 10,000 jobs that took a twentieth of the
 * server's time.
 */
const EVERY_JOBS = 30_000;
/**
 * A claim of one job steps over as many dead rows as a claim of five hundred, so small requests trigger a vacuum
 * earlier.
 */
const EVERY_REQUESTS = 1_000;

/**
 * Vacuums the hot tables in proportion to this process's work. Autovacuum checks once a minute, and after a minute of
 * full load a claim would step over a hundred thousand dead rows.
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

  /** If this role may not vacuum, or another process is vacuuming, autovacuum has to do. */
  async #vacuum(): Promise<void> {
    await this.#session.raw(`vacuum (skip_locked) ${HOT_TABLES}`, []).catch(() => {});
    this.#underWay = false;
  }
}
